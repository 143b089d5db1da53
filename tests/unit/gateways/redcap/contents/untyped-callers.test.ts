import { expect } from 'chai';
import type { CrfClient } from '../../../../../src/gateways/redcap/crf-client.js';
import { withFaults } from '../../../../support/fault-client.js';
import { rejection } from '../../../../support/rejection.js';

type Call = (client: CrfClient) => Promise<unknown>;

/** A value of any type, as an untyped caller might pass it. */
const untyped = (value: unknown): never => value as never;

const survey = { record: '1', instrument: 'base' };
const place = { record: '1', field: 'consent' };
const NUMBERS: readonly (readonly [
  field: string,
  call: (client: CrfClient, value: never) => Promise<unknown>,
])[] = [
  ['arm', ({ records }, arm) => records.delete(['1'], { arm })],
  ['instance', ({ records }, instance) => records.delete(['1'], { instance })],
  ['arm', ({ records }, arm) => records.rename('1', '2', { arm })],
  ['randomizationId', ({ records }, id) => records.randomize('1', id)],
  ['instance', ({ surveys }, instance) => surveys.getLink({ ...survey, instance })],
  ['instance', ({ files }, instance) => files.delete({ ...place, instance })],
  ['instance', ({ pdf }, instance) => pdf.get({ instance })],
  ['id', ({ fileRepository }, id) => fileRepository.info(id)],
  ['id', ({ fileRepository }, id) => fileRepository.delete(id)],
  ['folder', ({ fileRepository }, folder) => fileRepository.list(folder)],
  ['dagId', ({ fileRepository }, dagId) => fileRepository.createFolder({ name: 'a', dagId })],
  ['report', ({ reports }, id) => reports.get(id)],
  ['arms[0]', ({ arms }, arm) => arms.delete([arm])],
  ['arms[0]', ({ events }, arm) => events.list({ arms: [arm] })],
  ['arms[0].number', ({ arms }, number) => arms.put([{ number, name: 'A' }])],
  ['events[0].arm', ({ events }, arm) => events.put([{ label: 'A', arm }])],
  ['mappings[0].arm', ({ mappings }, arm) => mappings.put([{ arm, event: 'a_arm_1', instrument: 'base' }])],
];

const REFUSED: readonly (readonly [what: string, field: string, call: Call])[] = [
  ['text in place of a list', 'records', ({ records }) => records.delete(untyped('12'))],
  ['an object in place of rows', 'rows', (client) => client.importRecords(untyped({ record_id: '1' }))],
  ['no typed rows', 'rows', (client) => client.importRows(untyped(undefined))],
  ['text in place of a row', 'rows[1]', (client) => client.importRecords([{}, untyped('1')])],
  ['null in place of a typed row', 'rows[0]', (client) => client.importRows([untyped(null)])],
  ['null in place of a list', 'records', (client) => client.exportRecords({ records: untyped(null) })],
  [
    'a number in a list of names',
    'fields[1]',
    (client) => client.exportRecords({ fields: ['a', untyped(1)] }),
  ],
  [
    'null as the unique name of a role',
    'roles[0].uniqueName',
    (client) => client.roles.put([{ label: 'Monitor', uniqueName: untyped(null) }]),
  ],
  [
    'a right with the name of another property',
    'users[0].rights.username',
    ({ users }) => users.put([{ username: 'ada', rights: { username: 1 } }]),
  ],
  [
    'null as form rights',
    'roles[0].forms',
    (client) => client.roles.put([{ label: 'Monitor', forms: untyped(null) }]),
  ],
  ['null as filter logic', 'filterLogic', (client) => client.exportRecords({ filterLogic: untyped(null) })],
  ['30 February', 'until', (client) => client.exportRecords({ until: '2026-02-30 10:00' })],
  ['the time 24:00', 'from', ({ log }) => log.list({ from: '2026-02-03 24:00' })],
  ['an unknown log type', 'type', ({ log }) => log.list({ type: untyped('records') })],
  ['a blank username', 'users[0].username', ({ users }) => users.put([{ username: ' ' }])],
  [
    'a date in the wrong format',
    'users[0].expiration',
    ({ users }) => users.put([{ username: 'ada', expiration: '31/12/2026' }]),
  ],
  [
    'NaN as a right',
    'users[0].rights.api_export',
    ({ users }) => users.put([{ username: 'ada', rights: { api_export: NaN } }]),
  ],
  [
    'text as a right',
    'roles[0].forms.base',
    ({ roles }) => roles.put([{ label: 'A', forms: { base: untyped('edit') } }]),
  ],
  ['a blank label', 'roles[0].label', ({ roles }) => roles.put([{ label: '' }])],
  ['a blank name', 'dags[0].name', ({ dags }) => dags.put([{ name: '' }])],
  ['no group to switch to', 'dag', ({ dags }) => dags.switch(untyped(undefined))],
  [
    'no role to assign',
    'assignments[0].role',
    ({ roleAssignments }) => roleAssignments.put([untyped({ username: 'ada' })]),
  ],
  [
    'NaN as a day offset',
    'events[0].dayOffset',
    ({ events }) => events.put([{ label: 'A', arm: 1, dayOffset: NaN }]),
  ],
  [
    'a number for a unique name',
    'events[0].uniqueName',
    ({ events }) => events.put([{ label: 'A', arm: 1, uniqueName: untyped(1) }]),
  ],
  [
    'null for a label',
    'events[0].customLabel',
    ({ events }) => events.put([{ label: 'A', arm: 1, customLabel: untyped(null) }]),
  ],
  [
    'a list for a group',
    'users[0].dag',
    ({ users }) => users.put([{ username: 'ada', dag: untyped(['north']) }]),
  ],
  ['a number for a user', 'user', ({ log }) => log.list({ user: untyped(1) })],
  ['NaN as a purpose', 'purpose', ({ project }) => project.putInfo({ purpose: NaN })],
  ['a blank title', 'title', ({ project }) => project.create({ title: ' ', purpose: 0 })],
  ['null as a parameter', 'report_id', (client) => client.call('report', { report_id: untyped(null) })],
  ['an object as a parameter', 'report_id', (client) => client.call('report', { report_id: untyped({}) })],
  ['NaN as a parameter', 'report_id', (client) => client.call('report', { report_id: NaN })],
  [
    'a parameter hidden in a name',
    'parameters',
    (client) => client.call('report', { 'a=1&content': 'user' }),
  ],
  ['the token as a list', 'token[0]', (client) => client.call('report', { 'token[0]': 'x' })],
  ['an object in a cell', 'rows[0].age', (client) => client.importRecords([{ id: '1', age: untyped({}) }])],
  ['a bigint in a cell', 'rows[0].age', (client) => client.importRecords([{ id: '1', age: untyped(1n) }])],
];

/** Identifiers have their own error. Undefined would not be sent, and null would become the record `null`. */
const NO_RECORDS: readonly Call[] = [undefined, null, {}, 5].flatMap((record): Call[] => [
  ({ records }) => records.rename(untyped(record), 'new'),
  ({ surveys }) => surveys.getQueueLink(untyped(record)),
  ({ files }) => files.delete({ ...place, record: untyped(record) }),
]);

describe('A call from JavaScript', () => {
  it('IN-06: is refused by naming an invalid number, before anything is sent', async () => {
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

  it('IN-06: is refused by the position of an improper parameter name, without repeating it', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '1' }),
      async ({ client }) => {
        const { message } = await rejection(client.call('report', { report_id: 1, 'a=secret': 2 }));

        expect(message).to.include('name 2').and.not.include('secret');
      },
    );
  });

  it('IN-06: is refused without a valid record id', async () => {
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
