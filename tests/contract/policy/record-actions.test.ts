import { expect } from 'chai';
import { callsOf } from '../../../src/client/compose-client.js';
import type { CrfCalls } from '../../../src/gateways/redcap/crf-client.js';
import type { Access, ProjectView } from '../../../src/policy/project-view.js';
import { restrict } from '../../../src/policy/restrict.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { armsStudy, classicStudy, randomizedStudy } from '../../support/studies.js';
import { viewOf } from '../../support/view-of.js';

function grouped(study: Study): Study {
  return {
    ...study,
    groups: [
      { id: 1, name: 'Paris', uniqueName: 'paris' },
      { id: 2, name: 'Rome', uniqueName: 'rome' },
    ],
    rows: study.rows.map((row) => ({ ...row, redcap_data_access_group: row.id === '2' ? 'rome' : 'paris' })),
  };
}

/** A view of the group paris in which every form and field has the same access. */
function parisOf(study: Study, access: Access, more: Partial<ProjectView> = {}): ProjectView {
  return viewOf({
    fields: new Map(study.fields.map(({ name }) => [name, access])),
    forms: new Map(study.instruments.map(({ name }) => [name, access])),
    rows: { kind: 'dag', dag: 'paris' },
    ...more,
  });
}

describe('The actions on the records of a view', () => {
  let started: SandboxClient | undefined;
  const start = async (study: Study): Promise<CrfCalls> => {
    started = await startSandboxClient(study);
    return callsOf(started.client);
  };
  afterEach(() => started?.close());

  const idsOf = async (calls: CrfCalls): Promise<unknown[]> =>
    (await calls.exportRecords({ fields: ['id'] })).map(({ id }) => id);

  it('delete and rename what the view lets write as a whole', async () => {
    const study = grouped(classicStudy());
    const calls = await start(study);
    const { records } = restrict(
      calls,
      parisOf(study, 'write', { create: { kind: 'prefix', prefix: 'P-' } }),
    );

    expect(await records.delete(['10'])).to.equal(1);
    await records.rename('A-1', 'P-1');
    expect(await idsOf(calls)).to.have.members(['2', 'P-1']);
  });

  it('refuse a record of another group as one that does not exist, and then change nothing', async () => {
    const study = grouped(classicStudy());
    const calls = await start(study);
    const { records } = restrict(
      calls,
      parisOf(study, 'write', { create: { kind: 'prefix', prefix: 'P-' } }),
    );
    const tries = [
      (id: string) => records.delete(['10', id]),
      (id: string) => records.rename(id, 'P-2'),
      (id: string) => records.randomize(id, 1),
    ];

    for (const attempt of tries) {
      const hidden = await rejection(attempt('2'));
      const unknown = await rejection(attempt('nobody'));
      expect(hidden).to.include({ code: 'record_not_found', message: unknown.message });
    }
    expect(await idsOf(calls)).to.have.members(['2', '10', 'A-1']);
  });

  it('are refused where something of a record is hidden, or can only be read', async () => {
    const study = grouped(classicStudy());
    const calls = await start(study);
    const readable = parisOf(study, 'read');
    const { fields } = parisOf(study, 'write');
    const partly = parisOf(study, 'write', {
      fields: new Map([...fields].filter(([name]) => name !== 'weight')),
    });

    for (const view of [readable, partly, parisOf(study, 'write', { events: new Set(['x_arm_1']) })]) {
      const { records } = restrict(calls, view);
      for (const attempt of [records.delete(['10']), records.rename('10', '11'), records.randomize('10', 1)])
        expect(await rejection(attempt)).to.have.property('code', 'not_in_policy');
    }
  });

  it('give a record no name that could not be created, and no record another deciding id', async () => {
    const study = grouped(classicStudy());
    const calls = await start(study);
    const prefix = { create: { kind: 'prefix', prefix: 'P-' } } as const;
    const views: [ProjectView, string][] = [
      [parisOf(study, 'write'), 'P-1'],
      [parisOf(study, 'write', { create: { kind: 'auto' } }), 'P-1'],
      [parisOf(study, 'write', prefix), 'Q-1'],
      [parisOf(study, 'write', { ...prefix, deciding: new Set(['id']) }), 'P-1'],
    ];
    for (const [view, name] of views)
      expect(await rejection(restrict(calls, view).records.rename('10', name))).to.have.property(
        'code',
        'not_in_policy',
      );
    const all = parisOf(study, 'write');
    const withLog = restrict(calls, all).records.delete(['10'], { deleteLogging: true });
    expect(await rejection(withLog)).to.have.property('code', 'not_in_policy');
  });

  it('take no value away, and assign none, that may decide about a record', async () => {
    const study = grouped(classicStudy());
    const calls = await start(study);
    const view = parisOf(study, 'write', { deciding: new Set(['weight']) });
    const { records } = restrict(calls, view);
    const [{ name: instrument = '' } = {}] = study.instruments;

    for (const attempt of [records.delete(['10'], { instrument }), records.randomize('10', 1)])
      expect(await rejection(attempt)).to.have.property('code', 'not_in_policy');
    expect(await records.delete(['10'])).to.equal(1);
  });

  it('take away and assign no value of the secondary unique field, where records are hidden', async () => {
    const unique = randomizedStudy();
    const settings = { ...unique.project.settings, secondary_unique_field: 'weight' };
    const study = grouped({ ...unique, project: { ...unique.project, settings } });
    const calls = await start(study);
    const [{ name: instrument = '' } = {}] = study.instruments;
    const ofGroup = restrict(calls, parisOf(study, 'write')).records;
    const ofAll = restrict(calls, parisOf(study, 'write', { rows: { kind: 'all' } })).records;

    for (const attempt of [ofGroup.delete(['10'], { instrument }), ofGroup.randomize('10', 1)])
      expect(await rejection(attempt)).to.have.property('code', 'not_in_policy');
    expect(await ofAll.delete(['10'], { instrument })).to.equal(1);
    expect(await ofGroup.delete(['A-1'])).to.equal(1);
  });

  it('tell the next number only where the policy lets REDCap number records', async () => {
    const study = grouped(classicStudy());
    const calls = await start(study);

    expect(
      await restrict(calls, parisOf(study, 'read', { create: { kind: 'auto' } })).records.nextId(),
    ).to.equal('11');
    expect(await rejection(restrict(calls, parisOf(study, 'write')).records.nextId())).to.have.property(
      'code',
      'not_in_policy',
    );
  });

  it('randomize a record of the view', async () => {
    const study = randomizedStudy();
    const calls = await start(study);
    const view = parisOf(study, 'write', { rows: { kind: 'all' } });

    expect(['1', '2']).to.include((await restrict(calls, view).records.randomize('2', 1)).target);
  });
});

describe('The files that a view lets change', () => {
  let started: SandboxClient;
  let calls: CrfCalls;
  beforeEach(async () => {
    started = await startSandboxClient(grouped(armsStudy()));
    calls = callsOf(started.client);
  });
  afterEach(() => started.close());

  const study = grouped(armsStudy());
  const place = { record: '1', field: 'consent', event: 'start_arm_1' };
  const file = () => ({ name: 'form.txt', bytes: Buffer.from('signed') });
  const view = (more: Partial<ProjectView> = {}): ProjectView =>
    parisOf(study, 'write', { files: 'write', events: new Set(['start_arm_1']), ...more });

  it('are stored and deleted', async () => {
    const { files } = restrict(calls, view());
    await files.put(place, file());
    const { body, name } = await calls.files.get(place);
    body.destroy();
    expect(name).to.equal('form.txt');

    await files.delete(place);
    expect(await rejection(calls.files.get(place))).to.have.property('code', 'file_not_found');
  });

  it('are refused at a hidden place as at one that does not exist', async () => {
    const { fields } = view();
    const noField = { fields: new Map([...fields].filter(([name]) => name !== 'consent')) };
    const pairs: [Partial<ProjectView>, object, object][] = [
      [noField, {}, { field: 'nonesuch' }],
      [{}, { record: '2' }, { record: 'nobody' }],
      [{}, { event: 'start_arm_2' }, { event: 'nonesuch_arm_1' }],
    ];
    for (const [more, hidden, unknown] of pairs) {
      const { files } = restrict(calls, view(more));
      const told = JSON.stringify(hidden);
      const ask = (at: object) => ({ ...place, ...at });
      expect(
        (await rejection(files.put(ask(hidden), file()))).message.replace(/^\w+ (?=is not)/, ''),
        told,
      ).to.equal(
        (await rejection(calls.files.put(ask(unknown), file()))).message.replace(/^\w+ (?=is not)/, ''),
      );
      expect(
        (await rejection(files.delete(ask(hidden)))).message.replace(/^\w+ (?=is not)/, ''),
        told,
      ).to.equal((await rejection(calls.files.delete(ask(unknown)))).message.replace(/^\w+ (?=is not)/, ''));
    }
  });

  it('are those of the first visible event where none is named', async () => {
    await calls.files.put(place, file());
    const { event: _event, ...unnamed } = place;
    const { files } = restrict(calls, view({ events: new Set(['visit_arm_1', 'start_arm_2']) }));

    expect(await rejection(files.get(unnamed))).to.have.property('code', 'file_not_found');
    expect(await rejection(files.delete(unnamed))).to.have.property('code', 'file_not_found');
    expect((await rejection(files.put(unnamed, file()))).message).to.equal(
      (await rejection(calls.files.put({ ...unnamed, event: 'visit_arm_1' }, file()))).message,
    );
    (await calls.files.get(place)).body.destroy();

    const ofOther = restrict(calls, view({ events: new Set(['start_arm_2']), rows: { kind: 'all' } }));
    await ofOther.files.put({ ...unnamed, record: '2' }, file());
    (await calls.files.get({ ...place, record: '2', event: 'start_arm_2' })).body.destroy();
    (await restrict(calls, view()).files.get(unnamed)).body.destroy();
  });

  it('are not those of a field that decides about the records', async () => {
    await calls.files.put(place, file());
    const { files } = restrict(calls, view({ deciding: new Set(['consent']) }));

    for (const attempt of [files.put(place, file()), files.delete(place)])
      expect(await rejection(attempt)).to.have.property('code', 'not_in_policy');
    (await files.get(place)).body.destroy();
  });

  it('are refused where the field can only be read, or the policy grants downloads alone', async () => {
    const readable = { fields: new Map([...view().fields, ['consent', 'read'] as const]) };
    for (const more of [readable, { files: 'read' } as const]) {
      const { files } = restrict(calls, view(more));
      for (const attempt of [files.put(place, file()), files.delete(place)])
        expect(await rejection(attempt)).to.have.property('code', 'not_in_policy');
    }
  });
});
