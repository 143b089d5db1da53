import { expect } from 'chai';
import type { CrfClient } from '../../../../../src/gateways/redcap/crf-client.js';
import { withFaults } from '../../../../support/fault-client.js';
import { rejection } from '../../../../support/rejection.js';

const LISTS: Readonly<Record<string, (client: CrfClient) => Promise<unknown>>> = {
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

describe('A list whose rows have no name', () => {
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
});
