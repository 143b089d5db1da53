import { expect } from 'chai';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { ProjectStructure } from '../../../../src/domain/dictionary/project-structure.js';
import { chosenRecords, type StudyFilter } from '../../../../src/services/summary/chosen-records.js';
import { ID_FIELD } from '../../../support/fake-project.js';
import { withFaults } from '../../../support/fault-client.js';
import { rejection } from '../../../support/rejection.js';

const structure = new ProjectStructure({ dictionary: DataDictionary.of([ID_FIELD]) });

/** Reads an answer of REDCap. @returns the id, the group and the number of rows of each record */
async function read(body: string, filter: StudyFilter = {}): Promise<unknown[]> {
  const records: unknown[] = [];
  await withFaults(
    () => ({ kind: 'answer', body, framing: 'chunked' }),
    async ({ client }) => {
      for await (const [{ record, dag }, rows] of chosenRecords(client, { structure, plan: {}, filter }, {}))
        records.push([record, dag, rows.length]);
    },
    { timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000 } },
  );
  return records;
}

describe('chosenRecords', () => {
  const row = (record: string, dag: string) => ({ record_id: record, redcap_data_access_group: dag });
  const answer = JSON.stringify([row('A', ''), row('A', 'north'), row('B', 'south')]);

  it('yields the rows of each record together, with the group that any of them names', async () => {
    expect(await read(answer)).to.deep.equal([
      ['A', 'north', 2],
      ['B', 'south', 1],
    ]);
  });

  it('leaves out what the filter does not select', async () => {
    expect(await read(answer, { dag: 'south' })).to.deep.equal([['B', 'south', 1]]);
  });

  for (const [what, body] of [
    ['a row larger than any that is read', `[{"record_id":"1","note":"${'x'.repeat(17 * 1024 * 1024)}"}]`],
    ['an end inside a cell', '[{"record_id":"1","note":"x'],
  ] as const) {
    it(`OPS-06: fails for ${what}, and the process goes on`, async () => {
      expect(await rejection(read(body))).to.have.property('code', 'upstream_invalid');
    });
  }
});
