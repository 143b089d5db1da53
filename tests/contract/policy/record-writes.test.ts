import { expect } from 'chai';
import { callsOf } from '../../../src/client/compose-client.js';
import type { CrfCalls, ImportDataOptions } from '../../../src/gateways/redcap/crf-client.js';
import type { ProjectView } from '../../../src/policy/project-view.js';
import { restrict } from '../../../src/policy/restrict.js';
import { rejection } from '../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { armsStudy, classicStudy } from '../../support/studies.js';
import { logicOf, viewOf } from '../../support/view-of.js';

const GROUPS = [
  { id: 1, name: 'Paris', uniqueName: 'paris' },
  { id: 2, name: 'Rome', uniqueName: 'rome' },
];

describe('The imports of a view', () => {
  let started: SandboxClient;
  let calls: CrfCalls;
  beforeEach(async () => {
    const study = classicStudy();
    const rows = study.rows.map((row) => ({
      ...row,
      redcap_data_access_group: row.id === '2' ? 'rome' : 'paris',
    }));
    started = await startSandboxClient({ ...study, groups: GROUPS, rows });
    calls = callsOf(started.client);
  });
  afterEach(() => started.close());

  const fields = new Map([
    ['id', 'read'],
    ['age', 'write'],
    ['sites', 'write'],
    ['sex', 'read'],
  ] as const);
  const store = (
    rows: readonly object[],
    view: Partial<ProjectView> = {},
    options: Partial<ImportDataOptions> = {},
  ) =>
    restrict(calls, viewOf({ fields, forms: new Map([['base', 'read']]), ...view })).importData(
      JSON.stringify(rows),
      { format: 'json', ...options },
    );
  const ofParis = { rows: { kind: 'dag', dag: 'paris' } } as const;
  const stored = (options = {}) => calls.exportRecords({ exportDataAccessGroups: true, ...options });

  it('change writable fields of the records of the view, and nothing else', async () => {
    const before = await stored();
    await store([{ id: '10', age: '21', sites___2: '1' }], ofParis, { overwriteBehavior: 'overwrite' });

    const changed = { age: '21', twice: '42', sites___2: '1' };
    expect(await stored()).to.deep.equal(
      before.map((row) => (row.id === '10' ? { ...row, ...changed } : row)),
    );
  });

  it('leave the field alone whose values REDCap keeps apart, unless all of its values are visible', async () => {
    await calls.project.putInfo({ secondaryUniqueField: 'age' });
    calls.clearCache();

    expect(await rejection(store([{ id: '10', age: '30' }], ofParis))).to.have.property(
      'code',
      'not_in_policy',
    );
    expect(await store([{ id: '10', age: '31' }])).to.have.property('count', 1);
  });

  it('refuse a hidden field as one that does not exist, and a field that may be read only', async () => {
    const hidden = await rejection(store([{ id: '10', weight: '1' }]));
    const unknown = await rejection(store([{ id: '10', nonesuch: '1' }]));
    const upstream = await rejection(calls.importData('[{"id":"10","nonesuch":"1"}]', { format: 'json' }));

    expect(hidden.message).to.equal(unknown.message.replace('nonesuch', 'weight'));
    expect(unknown.message).to.equal(upstream.message);
    for (const row of [{ sex: '2' }, { base_complete: '2' }, { redcap_data_access_group: 'rome' }])
      expect(await rejection(store([{ id: '10', ...row }], ofParis))).to.have.property(
        'code',
        'not_in_policy',
      );
  });

  it('refuse a record of another group with the words for one that may not be created', async () => {
    const before = await stored();
    const prefixes = { ...ofParis, create: { kind: 'prefix', prefix: 'P-' } } as const;
    for (const view of [ofParis, prefixes]) {
      const hidden = await rejection(store([{ id: '2', age: '1' }], view));
      const unknown = await rejection(store([{ id: '77', age: '1' }], view));

      expect(hidden).to.have.property('code', 'not_in_policy');
      expect(hidden.message).to.equal(unknown.message);
    }
    expect(await stored()).to.deep.equal(before);
  });

  it('refuse a row without a record', async () => {
    const imported = store([{ age: '1' }], { create: { kind: 'prefix', prefix: 'P-' } });
    expect(await rejection(imported)).to.have.property('code', 'not_in_policy');
  });

  it('create records with the prefix of the policy, in the group of the view', async () => {
    await store([{ id: 'P-1', age: '50' }], { ...ofParis, create: { kind: 'prefix', prefix: 'P-' } });

    const [row] = await stored({ records: ['P-1'] });
    expect(row).to.include({ age: '50', redcap_data_access_group: 'paris' });
  });

  it('let REDCap number new records only where the policy says so', async () => {
    const numbered = { forceAutoNumber: true, returnContent: 'auto_ids' } as const;
    const refused = await rejection(store([{ id: 'x', age: '50' }], ofParis, numbered));
    const { ids = [] } = await store(
      [{ id: 'x', age: '50' }],
      { ...ofParis, create: { kind: 'auto' } },
      numbered,
    );

    expect(refused).to.have.property('code', 'not_in_policy');
    const [row] = await stored({ records: ids });
    expect(row).to.include({ age: '50', redcap_data_access_group: 'paris' });
  });

  it('leave to an owner what decides whose record it is', async () => {
    const rows = { kind: 'own', field: 'age', events: undefined, equals: '40' } as const;
    const own = { rows, deciding: new Set(['age']) };
    await store([{ id: 'A-1', sites___1: '1' }], own);

    expect(await rejection(store([{ id: 'A-1', age: '30' }], own))).to.have.property('code', 'not_in_policy');
    expect(await rejection(store([{ id: '2', sites___1: '1' }], own))).to.have.property(
      'code',
      'not_in_policy',
    );
  });

  it('leave alone what a condition on the records reads, and the records that do not satisfy it', async () => {
    const logic = logicOf('[age] > 25');
    const adults = { rows: { kind: 'where', logic }, deciding: new Set(['age']) } as const;
    await store([{ id: 'A-1', sites___1: '1' }], adults);

    expect(await stored({ records: ['A-1'], fields: ['sites'] })).to.deep.include.members([
      { sites___1: '1', sites___2: '0', sites____99: '1' },
    ]);
    for (const row of [
      { id: 'A-1', age: '30' },
      { id: '10', sites___1: '0' },
      { id: 'new', sites___1: '1' },
    ])
      expect(await rejection(store([row], adults)), row.id).to.have.property('code', 'not_in_policy');
  });

  it('refuse what is not flat JSON of rows', async () => {
    const texts: [string, Partial<ImportDataOptions>][] = [
      ['id,age\n10,1\n', { format: 'csv' }],
      ['[]', { type: 'eav' }],
      ['[]', { backgroundProcess: true }],
      ['{"id":"10"}', {}],
      ['[{"id":{"x":1}}]', {}],
      ['[', {}],
    ];
    for (const [text, options] of texts) {
      const imported = restrict(calls, viewOf({ fields })).importData(text, { format: 'json', ...options });
      expect(await rejection(imported), text).to.have.property('code', 'invalid_request');
    }
  });
});

describe('The events and files of a view', () => {
  let started: SandboxClient;
  before(async () => {
    started = await startSandboxClient(armsStudy());
  });
  after(() => started.close());

  const view: Partial<ProjectView> = {
    fields: new Map([
      ['id', 'read'],
      ['alive', 'write'],
      ['consent', 'read'],
    ]),
    forms: new Map([['enrol', 'read']]),
    events: new Set(['start_arm_1']),
    files: 'read',
  };

  it('refuse rows of a hidden event', async () => {
    const calls = restrict(callsOf(started.client), viewOf(view));
    const data = JSON.stringify([{ id: '1', alive: '0', redcap_event_name: 'start_arm_2' }]);

    expect(await rejection(calls.importData(data, { format: 'json' }))).to.have.property(
      'code',
      'upstream_rejected',
    );
  });

  it('store rows without an event at the first visible one, where the project has an earlier one', async () => {
    const fields = new Map([
      ['id', 'read'],
      ['alive', 'write'],
    ] as const);
    const forms = new Map([['enrol', 'read'] as const]);
    const later = { fields, forms, events: new Set(['start_arm_2']) };
    const before = await started.client.exportRecords();
    const [id = ''] = before.flatMap((row) => (row.redcap_event_name === 'start_arm_2' ? [`${row.id}`] : []));
    await restrict(callsOf(started.client), viewOf(later)).importData(JSON.stringify([{ id, alive: '1' }]), {
      format: 'json',
    });

    const after = await started.client.exportRecords();
    expect(after.filter((row, at) => row.alive !== before[at]?.alive)).to.have.length(1);
    expect(after.find((row) => row.id === id && row.redcap_event_name === 'start_arm_2')).to.include({
      alive: '1',
    });
  });

  it('refuse an instance of a hidden instrument as one of an instrument that does not exist', async () => {
    const calls = restrict(callsOf(started.client), viewOf({ ...view, events: undefined }));
    const store = (redcap_repeat_instrument: string) => {
      const place = { redcap_event_name: 'start_arm_1', redcap_repeat_instrument, redcap_repeat_instance: 7 };
      return rejection(calls.importData(JSON.stringify([{ id: '1', ...place }]), { format: 'json' }));
    };

    const before = await started.client.exportRecords();

    const [hidden, unknown] = [await store('meds'), await store('nonesuch')];
    expect(hidden).to.include({ code: 'upstream_rejected', message: unknown.message });
    expect(await started.client.exportRecords()).to.deep.equal(before);
  });

  it('refuse the file of a hidden field, event or record as one that does not exist', async () => {
    const whole = callsOf(started.client);
    const calls = restrict(whole, viewOf(view));
    const place = { record: '1', field: 'consent', event: 'start_arm_1' };
    await whole.files.put(place, { name: 'form.txt', bytes: Buffer.from('signed') });
    const { body } = await calls.files.get(place);
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).to.equal('signed');

    const noField = { ...view, fields: new Map([['id', 'read'] as const]) };
    const noFiles = { ...view, files: 'none' } as const;
    const pairs: [Partial<ProjectView>, object, object][] = [
      [noField, {}, { field: 'nonesuch' }],
      [view, { record: '2' }, { record: 'nobody' }],
      [view, { event: 'start_arm_2' }, { event: 'nonesuch_arm_1' }],
    ];
    for (const [of, hidden, unknown] of pairs) {
      const { files } = restrict(whole, viewOf(of));
      const refused = await rejection(files.get({ ...place, ...hidden }));
      const missing = await rejection(whole.files.get({ ...place, ...unknown }));
      expect(refused.message.replace(/^\w+ (?=is not)/, ''), JSON.stringify(hidden)).to.equal(
        missing.message.replace(/^\w+ (?=is not)/, ''),
      );
    }
    const refused = await rejection(restrict(whole, viewOf(noFiles)).files.get(place));
    expect(refused).to.have.property('code', 'not_in_policy');
  });
});
