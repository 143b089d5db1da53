import { expect } from 'chai';
import type { RedcapClient } from '../../../../../src/client/redcap-client.js';
import { withFaults } from '../../../../contract/faults/fault-client.js';
import { rejection } from '../../../../support/rejection.js';

type Call = (client: RedcapClient) => Promise<unknown>;

/** A value as a caller without types may give it. */
const untyped = (value: unknown): never => value as never;

const place = { record: '1', instrument: 'base', field: 'consent' };
const NUMBERS: readonly (readonly [
  field: string,
  call: (client: RedcapClient, value: never) => Promise<unknown>,
])[] = [
  ['arm', ({ records }, arm) => records.delete(['1'], { arm })],
  ['repeatInstance', ({ records }, repeatInstance) => records.delete(['1'], { repeatInstance })],
  ['arm', ({ records }, arm) => records.rename('1', '2', { arm })],
  ['randomizationId', ({ records }, id) => records.randomize('1', id)],
  ['dag', ({ logs }, dag) => logs.export({ dag })],
  ['repeatInstance', ({ surveys }, repeatInstance) => surveys.link({ ...place, repeatInstance })],
  ['repeatInstance', ({ files }, repeatInstance) => files.delete({ ...place, repeatInstance })],
  ['repeatInstance', ({ pdf }, repeatInstance) => pdf.download({ repeatInstance })],
  ['documentId', ({ files }, id) => files.info(id)],
  ['documentId', ({ fileRepository }, id) => fileRepository.delete(id)],
  ['folder', ({ fileRepository }, folder) => fileRepository.list(folder)],
  ['dagId', ({ fileRepository }, dagId) => fileRepository.createFolder({ name: 'a', dagId })],
  ['reportId', ({ reports }, id) => reports.export(id)],
  ['arms[0]', ({ arms }, arm) => arms.delete([arm])],
  ['arms[0]', ({ events }, arm) => events.export({ arms: [arm] })],
  ['arms[0].number', ({ arms }, number) => arms.import([{ number, name: 'A' }])],
  ['events[0].armNumber', ({ events }, armNumber) => events.import([{ label: 'A', armNumber }])],
  [
    'mappings[0].armNumber',
    ({ instruments }, armNumber) =>
      instruments.importEventMappings([{ armNumber, uniqueEventName: 'a_arm_1', instrument: 'base' }]),
  ],
];

const REFUSED: readonly (readonly [what: string, field: string, call: Call])[] = [
  ['a list that is text', 'records', ({ records }) => records.delete(untyped('12'))],
  ['null for a list that narrows', 'records', (client) => client.exportRecords({ records: untyped(null) })],
  [
    'a number in a list of names',
    'fields[1]',
    (client) => client.exportRecords({ fields: ['a', untyped(1)] }),
  ],
  [
    'null for the unique name of a role',
    'roles[0].uniqueName',
    (client) => client.roles.import([{ label: 'Monitor', uniqueName: untyped(null) }]),
  ],
  [
    'null for the rights over forms',
    'roles[0].forms',
    (client) => client.roles.import([{ label: 'Monitor', forms: untyped(null) }]),
  ],
  ['null for logic', 'filterLogic', (client) => client.exportRecords({ filterLogic: untyped(null) })],
  [
    'a day that no month has',
    'dateRangeEnd',
    (client) => client.exportRecords({ dateRangeEnd: '2026-02-30 10:00' }),
  ],
  ['a time that no day has', 'from', ({ logs }) => logs.export({ from: '2026-02-03 24:00' })],
  ['a type that no log has', 'type', ({ logs }) => logs.export({ type: untyped('records') })],
  ['a blank username', 'users[0].username', ({ users }) => users.import([{ username: ' ' }])],
  [
    'a date in another order',
    'users[0].expiration',
    ({ users }) => users.import([{ username: 'ada', expiration: '31/12/2026' }]),
  ],
  [
    'a right that is none',
    'users[0].rights.api_export',
    ({ users }) => users.import([{ username: 'ada', rights: { api_export: NaN } }]),
  ],
  [
    'a right in words',
    'roles[0].forms.base',
    ({ roles }) => roles.import([{ label: 'A', forms: { base: untyped('edit') } }]),
  ],
  ['a blank label', 'roles[0].label', ({ roles }) => roles.import([{ label: '' }])],
  ['a blank name', 'dags[0].name', ({ dags }) => dags.import([{ name: '' }])],
  ['no group to switch to', 'dag', ({ dags }) => dags.switch(untyped(undefined))],
  [
    'no role to assign',
    'assignments[0].role',
    ({ roles }) => roles.importAssignments([untyped({ username: 'ada' })]),
  ],
  [
    'an offset that is none',
    'events[0].dayOffset',
    ({ events }) => events.import([{ label: 'A', armNumber: 1, dayOffset: NaN }]),
  ],
  [
    'a number for a unique name',
    'events[0].uniqueName',
    ({ events }) => events.import([{ label: 'A', armNumber: 1, uniqueName: untyped(1) }]),
  ],
  [
    'null for a label',
    'events[0].customLabel',
    ({ events }) => events.import([{ label: 'A', armNumber: 1, customLabel: untyped(null) }]),
  ],
  [
    'a list for a group',
    'users[0].dataAccessGroup',
    ({ users }) => users.import([{ username: 'ada', dataAccessGroup: untyped(['north']) }]),
  ],
  ['a number for a user', 'user', ({ logs }) => logs.export({ user: untyped(1) })],
  ['a purpose that is none', 'purpose', ({ projects }) => projects.changeSettings({ purpose: NaN })],
  ['a blank title', 'title', ({ projects }) => projects.create({ title: ' ', purpose: 0 })],
  ['null as a parameter', 'report_id', (client) => client.call('report', { report_id: untyped(null) })],
  ['an object as a parameter', 'report_id', (client) => client.call('report', { report_id: untyped({}) })],
  ['NaN as a parameter', 'report_id', (client) => client.call('report', { report_id: NaN })],
  ['a parameter within a name', 'parameters', (client) => client.call('report', { 'a=1&content': 'user' })],
  ['the token as a list', 'token[0]', (client) => client.call('report', { 'token[0]': 'x' })],
  ['an object in a cell', 'rows[0].age', (client) => client.importRecords([{ id: '1', age: untyped({}) }])],
  [
    'an integer that JSON cannot write',
    'rows[0].age',
    (client) => client.importRecords([{ id: '1', age: untyped(1n) }]),
  ],
];

/** Identifiers have an error of their own. Undefined would not be sent, and null would be the record `null`. */
const NO_RECORDS: readonly Call[] = [undefined, null, {}, 5].flatMap((record): Call[] => [
  ({ records }) => records.rename(untyped(record), 'new'),
  ({ surveys }) => surveys.queueLink(untyped(record)),
  ({ files }) => files.delete({ ...place, record: untyped(record) }),
]);

describe('A call from JavaScript', () => {
  it('IN-06: is refused by the name of a number that is none, before anything is sent', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '1' }),
      async ({ client, server }) => {
        for (const [field, call] of NUMBERS) {
          for (const value of [NaN, 0, -1, 1.5, 2 ** 31, '1', null]) {
            const error = await rejection(call(client, untyped(value)));

            expect(error, `${field} of ${value}`).to.have.property('code', 'invalid_request');
            expect(error['errors']).to.have.nested.property('[0].field', field);
          }
        }
        expect(server.requests).to.deep.equal([]);
      },
    );
  });

  for (const [what, field, call] of REFUSED) {
    it(`IN-06: is refused with ${what}, before anything is sent`, async () => {
      await withFaults(
        () => ({ kind: 'answer', body: '1' }),
        async ({ client, server }) => {
          const error = await rejection(call(client));

          expect(error).to.have.property('code', 'invalid_request');
          expect(error['errors']).to.have.nested.property('[0].field', field);
          expect(server.requests).to.deep.equal([]);
        },
      );
    });
  }

  it('IN-06: learns which parameter has no proper name, but not by that name', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '1' }),
      async ({ client }) => {
        const { message } = await rejection(client.call('report', { report_id: 1, 'a=secret': 2 }));

        expect(message).to.include('name 2').and.not.include('secret');
      },
    );
  });

  it('IN-06: is refused without the record that it is about', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '1' }),
      async ({ client, server }) => {
        for (const call of NO_RECORDS) {
          expect(await rejection(call(client))).to.have.property('code', 'invalid_identifier');
        }
        expect(server.requests).to.deep.equal([]);
      },
    );
  });
});

const LISTS: Readonly<Record<string, Call>> = {
  arms: ({ arms }) => arms.export(),
  events: ({ events }) => events.export(),
  instruments: ({ instruments }) => instruments.export(),
  mappings: ({ instruments }) => instruments.exportEventMappings(),
  fields: (client) => client.getMetadata(),
  'export columns': ({ dictionary }) => dictionary.exportFieldNames(),
  validations: ({ dictionary }) => dictionary.exportValidations(),
  groups: ({ dags }) => dags.export(),
  'group assignments': ({ dags }) => dags.exportAssignments(),
  users: ({ users }) => users.export(),
  roles: ({ roles }) => roles.export(),
  'role assignments': ({ roles }) => roles.exportAssignments(),
  files: ({ fileRepository }) => fileRepository.list(),
};

describe('A list whose rows lack their name', () => {
  it('UP-02: is no answer', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '[{"email":"ada@example.org"}]' }),
      async ({ client }) => {
        for (const [name, call] of Object.entries(LISTS)) {
          expect(await rejection(call(client)), name).to.have.property('code', 'upstream_invalid');
        }
      },
    );
  });
});

describe('The trace of a call', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('goes with an upload, and with a read that is not shared', async () => {
    await withFaults(
      ({ form }) => ({ kind: 'answer', body: form.get('content') === 'version' ? '16.1.9' : '' }),
      async ({ client, server }) => {
        await client.files.upload(place, { name: 'a', bytes: [Buffer.from('x')] }, { traceparent });
        await client.getVersion({ traceparent });

        expect(server.requests.map(({ headers }) => headers['traceparent'])).to.deep.equal([
          traceparent,
          traceparent,
        ]);
      },
    );
  });

  it('never breaks a call', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '16.1.9' }),
      async ({ client, server }) => {
        await client.getVersion({ traceparent: 'a\r\nb: c' });

        expect(server.requests[0]?.headers).to.not.have.any.keys('traceparent', 'b');
      },
    );
  });
});
