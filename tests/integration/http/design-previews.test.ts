import { expect } from 'chai';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { armsStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

type Call = readonly [method: 'put' | 'patch' | 'delete', path: string, body?: object];

const FIELD = { name: 'record_id', instrument: 'demographics', type: 'text' };
const MAPPING = { arm: 1, event: 'start_arm_1', instrument: 'enrol' };

/** Changes that REDCap makes, with what each deletes. */
const CHANGES: readonly (readonly [...call: Call, deleted: readonly string[] | undefined])[] = [
  [
    'put',
    '/project/fields',
    { data: [FIELD] },
    [
      'id',
      'name',
      'consent',
      'alive',
      'smoker',
      'mood',
      'marks',
      'pain',
      'note',
      'weight',
      'seen',
      'half',
    ].concat('drug'),
  ],
  ['put', '/project/arms', { data: [{ number: 1, name: 'Other' }] }, []],
  ['put', '/project/arms?replace=true', { data: [{ number: 1, name: 'Other' }] }, ['2']],
  ['delete', '/project/arms/2', undefined, ['2']],
  ['put', '/project/events', { data: [{ label: 'Later', arm: 1 }] }, []],
  [
    'put',
    '/project/events?replace=true',
    { data: [{ label: 'Start', arm: 1 }] },
    ['visit_arm_1', 'start_arm_2'],
  ],
  ['delete', '/project/events/visit_arm_1', undefined, ['visit_arm_1']],
  [
    'put',
    '/project/mappings',
    { data: [MAPPING] },
    ['start_arm_1: meds', 'visit_arm_1: visit', 'start_arm_2: enrol'],
  ],
  [
    'put',
    '/project/repeating',
    { data: [{ event: 'start_arm_1', instrument: 'meds', customLabel: '' }] },
    ['visit_arm_1'],
  ],
  ['put', '/project/dags', { data: [{ name: 'West' }] }, []],
  ['delete', '/project/dags/le_havre', undefined, ['le_havre']],
  ['put', '/project/dag-assignments', { data: [{ username: 'monitor', dag: 'le_havre' }] }, []],
  ['put', '/project/roles', { data: [{ label: 'Coder' }] }, []],
  ['put', '/project/users', { data: [{ username: 'new.user' }] }, []],
  ['put', '/project/role-assignments', { data: [{ username: 'monitor', role: '' }] }, []],
  ['delete', '/project/users/monitor', undefined, ['monitor']],
  ['patch', '/project/info', { title: 'Other', notes: 'Some' }, undefined],
];

/** Changes that REDCap refuses, because each names what the project does not have. */
const UNKNOWN: readonly (readonly [...call: Call, field: string, name: string])[] = [
  ['put', '/project/mappings', { data: [{ ...MAPPING, instrument: 'nope' }] }, 'data[0].instrument', 'nope'],
  [
    'put',
    '/project/repeating',
    { data: [{ event: 'nope_arm_1', instrument: '', customLabel: '' }] },
    'data[0].event',
    'nope_arm_1',
  ],
  ['put', '/project/users', { data: [{ username: 'a', dag: 'nope' }] }, 'data[0].dag', 'nope'],
  ['put', '/project/users', { data: [{ username: 'a', forms: { nope: 1 } }] }, 'data[0].forms', 'nope'],
  ['put', '/project/roles', { data: [{ label: 'A', forms: { nope: 1 } }] }, 'data[0].forms', 'nope'],
  [
    'put',
    '/project/dag-assignments',
    { data: [{ username: 'nobody', dag: 'le_havre' }] },
    'data[0].username',
    'nobody',
  ],
  [
    'put',
    '/project/role-assignments',
    { data: [{ username: 'monitor', role: 'U-NOPE' }] },
    'data[0].role',
    'U-NOPE',
  ],
];

describe('A preview of a change of the design', () => {
  let service: StudyService;
  beforeEach(async () => {
    service = await startStudyService(wholeStudy());
  });
  afterEach(() => service.close());

  for (const [method, path, body, deleted] of CHANGES) {
    it(`says what ${method.toUpperCase()} ${path} would do, and does nothing`, async () => {
      const { send } = service;
      const before = await design(service);

      const preview = await send(method, dry(path), body).expect(200);

      expect(preview.body.data).to.deep.include({ dryRun: true, ...(deleted && { deleted }) });
      expect(await design(service)).to.deep.equal(before);
      const made = await send(method, path, body).expect(200);
      expect(made.body.data).to.deep.equal({ count: preview.body.data.count });
    });
  }

  for (const [method, path, body, field, name] of UNKNOWN) {
    it(`refuses ${method.toUpperCase()} ${path} for ${field}, as REDCap does`, async () => {
      const preview = await service.send(method, dry(path), body).expect(400);

      expect(preview.body.errors[0]).to.include({ field, name });
      await service.send(method, path, body).expect(400);
    });
  }

  it('refuses to delete what is not there', async () => {
    for (const path of ['events/nope_arm_1', 'dags/nope', 'roles/U-NOPE', 'users/nobody']) {
      const { body } = await service.send('delete', `/project/${path}?dryRun=true`).expect(404);
      expect(body.code, path).to.equal('name_not_found');
    }
  });

  it('counts the stored values that nobody would see any more', async () => {
    const { body } = await service.send('put', '/project/fields?dryRun=true', { data: [FIELD] });

    expect(body.data.changes).to.deep.include({ text: 'mood: removed', values: 2, records: 2 });
    expect(body.data.changes).to.deep.include({ text: 'seen: removed' });
  });

  it('says what only the change itself shows', async () => {
    const { send } = service;
    const events = [{ label: 'Visit', arm: 9 }];

    const arm = await send('put', '/project/events?dryRun=true', { data: events }).expect(200);
    const values = await send('delete', '/project/arms/2?dryRun=true').expect(200);
    const unseen = await send('delete', '/project/arms/3?dryRun=true').expect(200);

    expect(arm.body.data.notChecked).to.deep.equal(['rights', 'arms']);
    expect(unseen.body.data.notChecked).to.deep.equal(['rights', 'arms', 'values']);
    expect(values.body.data.notChecked).to.deep.equal(['rights', 'values']);
  });

  it('is refused where the design is not as the author has read it', async () => {
    const call = service.send('put', '/project/dags?dryRun=true', { data: [{ name: 'West' }] });

    const { body } = await call.set('If-Match', '"another"').expect(412);
    expect(body.code).to.equal('precondition_failed');
  });
});

const dry = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dryRun=true`;

/** Everything that a change of the design can change. */
async function design({ send }: StudyService): Promise<unknown[]> {
  const parts = ['fields', 'arms', 'events', 'mappings', 'repeating', 'dags'];
  const people = ['users', 'roles', 'dag-assignments', 'role-assignments', 'info'];
  const answers = [...parts, ...people].map(async (part) => (await send('get', `/project/${part}`)).body);
  return Promise.all(answers);
}

function wholeStudy(): Study {
  return { ...armsStudy(), groups: [{ name: 'Le Havre', uniqueName: 'le_havre', id: 3 }] };
}
