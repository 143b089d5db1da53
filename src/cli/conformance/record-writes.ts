import type { CrfClient, ImportRow } from '../../gateways/redcap/crf-client.js';
import { type Operation, type Probe, unless, write } from './operation.js';

/** Operations that change records. Each creates its own record and deletes it. */
export const RECORD_WRITES: readonly Operation[] = [
  write(['importRecords', 'record', 'import', '5.6'], (probe) =>
    withScratch(probe, async ({ client }, row) => [
      ...unless(
        (await client.importRecords([row], { check: false })).count === 1,
        'an import of one record is not counted as one',
      ),
      ...unless(await recordExists(probe), 'a record that was imported with its id alone is not exported'),
      ...idsDifferences(
        await client.importRecords([row], { check: false, returnContent: 'ids' }),
        row,
        probe,
      ),
    ]),
  ),
  write(['importData', 'record', 'import', '5.4'], (probe) =>
    withScratch(probe, async ({ client, subject }, row) => {
      const names = Object.keys(row);
      const text = `${names.join()}\n${names.map((name) => String(row[name])).join()}\n`;
      const { count } = await client.importData(text, { format: 'csv' });
      return unless(
        count === 1 && subject.idField !== '',
        'an import of one line of CSV is not counted as one',
      );
    }),
  ),
  write(['importRows', 'record', 'import', '5.6'], (probe) =>
    withScratch(probe, async ({ client }, row) =>
      unless(
        (await client.importRows([row])).count === 1,
        'an import of one row with types is not counted as one',
      ),
    ),
  ),
  write(['records.rename', 'record', 'rename', '6.2'], (probe) =>
    withScratch(probe, async ({ client, scratchRecord }, row) => {
      await client.importRecords([row], { check: false });
      const renamed = `${scratchRecord}-renamed`;
      await client.records.rename(scratchRecord, renamed);
      const isFound = await recordExists({ ...probe, scratchRecord: renamed });
      await client.records.rename(renamed, scratchRecord);
      return unless(isFound, 'a renamed record is not found under its new name');
    }),
  ),
  write(['records.delete', 'record', 'delete', '6.1'], async (probe) => {
    const { client, scratchRecord } = probe;
    await client.importRecords([scratchRow(probe)], { check: false });
    const count = await client.records.delete([scratchRecord]);
    return [
      ...unless(count === 1, 'the deletion of one record is not counted as one'),
      ...unless(!(await recordExists(probe)), 'a deleted record is still exported'),
    ];
  }),
];

function scratchRow({ subject: { idField, events }, scratchRecord }: Probe): ImportRow {
  const [event] = events;
  return { [idField]: scratchRecord, ...(event && { redcap_event_name: event.uniqueName }) };
}

async function recordExists({ client, subject: { idField }, scratchRecord }: Probe): Promise<boolean> {
  return (await client.exportRecords({ records: [scratchRecord], fields: [idField] })).length > 0;
}

function idsDifferences(
  { ids }: Awaited<ReturnType<CrfClient['importRecords']>>,
  row: ImportRow,
  { subject: { idField } }: Probe,
): readonly string[] {
  return unless(
    ids?.join() === String(row[idField]),
    'returnContent=ids does not answer the id that was sent',
  );
}

/** Runs an operation with a record that is always deleted afterwards. */
export async function withScratch(
  probe: Probe,
  run: (probe: Probe, row: ImportRow) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  try {
    return await run(probe, scratchRow(probe));
  } finally {
    // An error here would hide the original one. The record may not have been created.
    await probe.client.records.delete([probe.scratchRecord]).catch(() => undefined);
  }
}
