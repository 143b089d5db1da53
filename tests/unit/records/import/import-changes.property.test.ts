import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import type { CrfClient, RecordRow } from '../../../../src/gateways/redcap/crf-client.js';
import type { ImportChange } from '../../../../src/gateways/redcap/crf-client.js';
import type { ImportOutcome, ImportRequest } from '../../../../src/records/import/import-request.js';
import { SeenChanges } from '../../../../src/records/import/seen-changes.js';
import { RecordWriter } from '../../../../src/services/record-writer.js';
import { edited } from '../../../support/edited-rows.js';
import { STUDY } from '../../../support/random-import-study.js';
import { classicStudy } from '../../../support/studies.js';
import { rejection } from '../../../support/rejection.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';

const KEYS = ['record_id', 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

async function run(
  client: CrfClient,
  rows: readonly RecordRow[],
  request: Partial<ImportRequest>,
  batchSize: number,
  seen?: SeenChanges,
): Promise<{ outcome: ImportOutcome; changes: ImportChange[] }> {
  const changes: ImportChange[] = [];
  const body = Readable.from([Buffer.from(JSON.stringify({ records: rows }))], { objectMode: false });
  const outcome = await new RecordWriter(
    client,
    { batchSize, recordIdMinLength: 1 },
    undefined,
    client,
  ).write(
    body,
    { format: 'json', ...request },
    { scope: 'tester' },
    { mayReadRecords: true, seen, onChange: (change) => changes.push(change) },
  );
  return { outcome, changes };
}

describe('The changes of a random import', () => {
  it('are those that the import makes, and none once it is stored', async () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(STUDY, edits, fc.integer({ min: 1, max: 8 }), async (study, edit, batchSize) => {
        const sandbox = await startSandboxClient(study);
        const { client } = sandbox;
        try {
          const before = await client.exportRecords();
          const rows = edited(before, edit);
          const ways = { overwriteBehavior: 'overwrite' } as const;
          const asked = { ...ways, dryRun: true, changes: true };

          const shown = await run(client, rows, asked, batchSize);
          expect(await client.exportRecords()).to.deep.equal(before);
          await run(client, rows, ways, batchSize);
          const after = await client.exportRecords();

          const made = differences(before, after);
          expect(new Set(shown.changes.map(keyOf))).to.deep.equal(new Set(made.map(keyOf)));
          expect(shown.outcome.changes?.records.new).to.equal(0);
          expect(shown.outcome.changes?.records.changed).to.equal(
            new Set(made.map(({ record }) => record)).size,
          );

          const again = await run(client, rows, asked, batchSize);
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

describe('What was seen of a random import', () => {
  it('is stored and verified, whatever the size of the calls, and nothing else', async () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        ...[STUDY, edits, edits, fc.integer({ min: 1, max: 8 })],
        async (study, edit, others, batchSize) => {
          const sandbox = await startSandboxClient(study);
          const { client } = sandbox;
          try {
            const before = await client.exportRecords();
            // The first row again at the end: a later row may change what an earlier one has set.
            const [first = {}, ...rest] = edited(before, edit);
            const rows = [first, ...rest, { ...first, ...edited(before.slice(0, 1), others)[0] }];
            const ways = { overwriteBehavior: 'overwrite', changes: true } as const;
            const seen = new SeenChanges();
            const shown = await run(client, rows, { ...ways, dryRun: true }, batchSize);
            for (const change of shown.changes) seen.add(change);

            const colleague = edited(before, others);
            if (others.length > 0) await run(client, colleague, ways, 1_000);
            const meanwhile = await client.exportRecords();
            const stored = await run(client, rows, { ...ways, verify: true }, batchSize, seen);
            const after = await client.exportRecords();

            const { verified, conflicts } = stored.outcome;
            expect(verified).to.include({ differs: 0, absent: 0 });
            // What was stored had been shown with the value that it replaced, or replaces one of this import.
            const wasShown = new Set(shown.changes.map((change) => JSON.stringify(oldOf(change))));
            for (const change of differences(meanwhile, after))
              expect(wasShown.has(JSON.stringify(oldOf(change)))).to.equal(true);
            if (others.length === 0) {
              expect(conflicts).to.equal(undefined);
              const again = await run(client, rows.slice(1), { ...ways, dryRun: true }, batchSize);
              expect(again.changes).to.deep.equal([]);
            }
          } finally {
            await sandbox.close();
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('IN-16: A change that somebody else has made since the rows were shown', () => {
  it('is not overwritten, and neither is a record that appeared; the rest is stored', async () => {
    const sandbox = await startSandboxClient(classicStudy());
    const { client } = sandbox;
    const rows = [
      { id: '2', age: '31', weight: '80' },
      { id: '10', age: '21' },
      { id: '11', age: '50' },
    ];
    const ways = { changes: true } as const;
    const seen = new SeenChanges();
    const shown = await run(client, rows, { ...ways, dryRun: true }, 2);
    for (const change of shown.changes) seen.add(change);
    await client.importRecords(
      [
        { id: '2', weight: '79' },
        { id: '11', age: '49' },
      ],
      { check: false },
    );
    const strict = new SeenChanges(true);
    for (const change of shown.changes) strict.add(change);
    const refused = await rejection(run(client, rows, ways, 1_000, strict));
    expect(refused).to.have.nested.property('errors[0].field', 'weight');
    expect(await client.exportRecords({ records: ['10'], fields: ['age'] })).to.deep.equal([{ age: '20' }]);
    const { outcome } = await run(client, rows, ways, 2, seen);
    const after = await client.exportRecords({ records: ['2', '10', '11'], fields: ['id', 'age', 'weight'] });
    await sandbox.close();

    expect(outcome.count).to.equal(2);
    expect(
      outcome.conflicts?.first.map(({ record, field, old, new: now }) => [record, field, old, now]),
    ).to.deep.equal([
      ['2', 'weight', '79', '80'],
      ['11', 'age', '49', '50'],
    ]);
    expect(after).to.deep.equal([
      { id: '2', age: '31', weight: '79' },
      { id: '10', age: '21', weight: '26.8' },
      { id: '11', age: '49', weight: '' },
    ]);
  });
});

describe('A value that a later call of the same import changes again', () => {
  // REDCap exports an erased checkbox as 0, and the others as they were sent.
  for (const [field, first, last] of [
    ['sites___1', '', '1'],
    ['weight', '26.80', '27'],
    ['weight', '', '27'],
    ['base_complete', '', '2'],
  ] as const) {
    it(`is no conflict: ${field} is ${JSON.stringify(first)}, then ${last}`, async () => {
      const sandbox = await startSandboxClient(classicStudy());
      const { client } = sandbox;
      const rows = [
        { id: '10', [field]: first, age: '21' },
        { id: '10', [field]: last },
      ];
      const ways = { changes: true, overwriteBehavior: 'overwrite' } as const;
      const seen = new SeenChanges();
      const shown = await run(client, rows, { ...ways, dryRun: true }, 1);
      for (const change of shown.changes) seen.add(change);
      const { outcome } = await run(client, rows, ways, 1, seen);
      const after = await client.exportRecords({ records: ['10'] });
      await sandbox.close();

      expect(outcome.conflicts).to.equal(undefined);
      expect(after[0]).to.include({ [field]: last, age: '21' });
    });
  }
});

/** A cell with the value that was there, in which an unset checkbox or form status is 0. */
function oldOf({ record, event, instance, field, old }: Difference): unknown[] {
  return [record, event, instance, field, /___|_complete$/.test(field) ? old || '0' : old];
}

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
