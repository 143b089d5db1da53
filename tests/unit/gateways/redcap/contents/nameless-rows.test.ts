import { expect } from 'chai';
import type { CrfClient } from '../../../../../src/gateways/redcap/crf-client.js';
import { withFaults } from '../../../../support/fault-client.js';
import { rejection } from '../../../../support/rejection.js';

const LISTS: Readonly<Record<string, (client: CrfClient) => Promise<unknown>>> = {
  arms: ({ arms }) => arms.list(),
  events: ({ events }) => events.list(),
  instruments: ({ instruments }) => instruments.list(),
  mappings: ({ mappings }) => mappings.list(),
  fields: (client) => client.fields.list(),
  'export columns': ({ exportFieldNames }) => exportFieldNames.list(),
  validations: ({ fieldValidations }) => fieldValidations.list(),
  groups: ({ dags }) => dags.list(),
  'group assignments': ({ dagAssignments }) => dagAssignments.list(),
  users: ({ users }) => users.list(),
  roles: ({ roles }) => roles.list(),
  'role assignments': ({ roleAssignments }) => roleAssignments.list(),
  files: ({ fileRepository }) => fileRepository.list(),
};

describe('A list whose rows have no name, or none of REDCap', () => {
  it('UP-02: is an invalid answer', async () => {
    await withFaults(
      () => ({ kind: 'answer', body: '[{"email":"ada@example.org"}]' }),
      async ({ client }) => {
        for (const [name, call] of Object.entries(LISTS)) {
          expect(await rejection(call(client)), name).to.have.property('code', 'upstream_invalid');
        }
      },
    );
  });

  for (const name of ['../../evil', 'a/b', 'a"b', 'a?', 'a.b', 'a b', 'a\n', ''])
    it(`UP-02: is an invalid answer if a name is ${JSON.stringify(name)}: it becomes a file, a table or code`, async () => {
      const field = { field_name: 'age', form_name: 'base', field_type: 'text' };
      const mapping = { arm_num: 1, unique_event_name: 'event_1_arm_1', form: 'base' };
      const instrument = { instrument_name: 'base', instrument_label: '' };
      const attempts = [
        ['fields', { ...field, field_name: name }],
        ['fields', { ...field, form_name: name }],
        ['instruments', { ...instrument, instrument_name: name }],
        ['events', { ...mapping, event_name: 'Event 1', unique_event_name: name }],
        ['mappings', { ...mapping, unique_event_name: name }],
        ['mappings', { ...mapping, form: name }],
      ] as const;
      for (const [list, row] of attempts)
        await withFaults(
          () => ({ kind: 'answer', body: JSON.stringify([row]) }),
          async ({ client }) => {
            const error = await rejection(LISTS[list]?.(client) ?? Promise.resolve());
            expect(error, list).to.have.property('code', 'upstream_invalid');
          },
        );
    });
});
