import { expect } from 'chai';
import type { JournalStep } from '../../../../src/records/import/import-journal.js';
import { ImportUndo } from '../../../../src/records/undo/import-undo.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy } from '../../../support/studies.js';

/** An import that created record 1. */
async function* steps(): AsyncGenerator<JournalStep> {
  const entry = { id: '1', isNew: true, rows: [], unreadable: [] };
  yield await Promise.resolve({ from: 0, to: 1, records: [entry] });
}

describe('An import whose records REDCap answers with hashed ids', () => {
  it('IN-17: is not undone, and not said to be gone', async () => {
    const { users, ...study } = classicStudy();
    const formRights = { forms: {}, formsExport: { base: 2 } };
    const running = await startSandboxClient({
      ...study,
      users: users.map((user) => ({ ...user, formRights })),
      rows: [{ id: '1', age: '40' }],
    });
    const undo = new ImportUndo(running.client, { call: {}, dryRun: false, repeated: new Set() });

    const error = await rejection(undo.run(steps()));
    const { ids } = running.sandbox.project.records;
    await running.close();

    expect(error).to.have.property('code', 'invalid_request');
    expect(error.message).to.include('hashed record ids');
    expect(ids).to.deep.equal(['1']);
  });
});
