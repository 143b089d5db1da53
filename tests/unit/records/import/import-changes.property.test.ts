import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CrfClient, RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import type { ImportChange } from '../../../../src/records/import/import-change.js';
import type { ImportOutcome, ImportRequest } from '../../../../src/records/import/import-request.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { STUDY } from '../../../support/random-import-study.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';

const KEYS = ['record_id', 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

async function run(
  client: CrfClient,
  rows: readonly RecordRow[],
  request: Partial<ImportRequest>,
  chunkRows: number,
): Promise<{ outcome: ImportOutcome; changes: ImportChange[] }> {
  const changes: ImportChange[] = [];
  const body = Readable.from([Buffer.from(JSON.stringify({ records: rows }))], { objectMode: false });
  const outcome = await new RecordWriter(
    client,
    { chunkRows, recordIdMinLength: 1 },
    undefined,
    client,
  ).write(
    body,
    { format: 'json', ...request },
    { scope: 'tester' },
    { mayReadRecords: true, onChange: (change) => changes.push(change) },
  );
  return { outcome, changes };
}

/** Changes some cells of an export: each number selects a row, a column, and a value of that column elsewhere. */
function edited(
  rows: readonly RecordRow[],
  edits: readonly (readonly [number, number, number])[],
): RecordRow[] {
  const copies = rows.map((row) => ({ ...row }));
  for (const [at, column, source] of edits) {
    const row = copies[at % copies.length];
    const names = Object.keys(row ?? {}).filter((name) => !KEYS.includes(name));
    const name = names[column % names.length];
    const from = rows[source % rows.length];
    if (row !== undefined && name !== undefined) row[name] = from?.[name] ?? '';
  }
  // Nothing of a repeating instrument belongs on a base row, and the other way round.
  return copies.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => isHere(row, name))));
}

function isHere(row: RecordRow, name: string): boolean {
  if (KEYS.includes(name) || !('redcap_repeat_instrument' in row)) return true;
  const isOfVisit = ['visit_date', 'weight', 'remark', 'visit_complete'].includes(name);
  return isOfVisit === (row['redcap_repeat_instrument'] === 'visit');
}

describe('The changes of a random import', () => {
  it('are those that the import makes, and none once it is stored', async () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(STUDY, edits, fc.integer({ min: 1, max: 8 }), async (study, edit, chunkRows) => {
        const sandbox = await startSandboxClient(study);
        const { client } = sandbox;
        try {
          const before = await client.exportRecords();
          const rows = edited(before, edit);
          const ways = { overwriteBehavior: 'overwrite' } as const;
          const asked = { ...ways, dryRun: true, changes: true };

          const shown = await run(client, rows, asked, chunkRows);
          expect(await client.exportRecords()).to.deep.equal(before);
          await run(client, rows, ways, chunkRows);
          const after = await client.exportRecords();

          const made = differences(before, after);
          expect(new Set(shown.changes.map(keyOf))).to.deep.equal(new Set(made.map(keyOf)));
          expect(shown.outcome.changes?.records.new).to.equal(0);
          expect(shown.outcome.changes?.records.changed).to.equal(
            new Set(made.map(({ record }) => record)).size,
          );

          const again = await run(client, rows, asked, chunkRows);
          expect(again.changes).to.deep.equal([]);
          expect(again.outcome.changes?.records).to.include({ new: 0, changed: 0 });
        } finally {
          await sandbox.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});

type Difference = Pick<ImportChange, 'record' | 'event' | 'instance' | 'field' | 'old' | 'new'>;

/** An oracle: the cells of two exports that differ, but for blanks at the end of a text. */
function differences(before: readonly RecordRow[], after: readonly RecordRow[]): Difference[] {
  const placeOf = (row: RecordRow): string => KEYS.map((name) => row[name] ?? '').join('\n');
  const then = new Map(before.map((row) => [placeOf(row), row]));
  return after.flatMap((row) =>
    Object.keys(row).flatMap((field) => {
      const [old, now] = [`${then.get(placeOf(row))?.[field] ?? ''}`, `${row[field] ?? ''}`];
      if (old.replaceAll('\r\n', '\n').trimEnd() === now.replaceAll('\r\n', '\n').trimEnd()) return [];
      const [record, event] = [`${row['record_id']}`, `${row['redcap_event_name'] ?? ''}`];
      return [
        { record, event, instance: Number(row['redcap_repeat_instance']) || null, field, old, new: now },
      ];
    }),
  );
}

/** An erased checkbox or form status is exported as 0. */
function keyOf({ record, event, instance, field, new: now }: Difference): string {
  const value = /___|_complete$/.test(field) ? now || '0' : now;
  return JSON.stringify([record, event, instance, field, value]);
}
