import type { CrfClient, RecordRow } from '../gateways/redcap/crf-client.js';
import { COPIED } from './change-engine.js';
import type { Difference } from './copy-rows.js';
import type { SqlCopy } from './sql-copy.js';

const BATCH = 500;

/**
 * Compares a copy with a fresh export of everything, cell by cell. What people change meanwhile differs as well.
 *
 * @param idField the name of the record id field
 * @returns the places that differ, without their values
 * @throws {CrfError} errors of `CrfClient.streamRecords`
 */
export async function verifyCopy(
  client: Pick<CrfClient, 'streamRecords'>,
  copy: SqlCopy,
  idField: string,
  signal?: AbortSignal,
): Promise<Difference[]> {
  const seen = new Set<string>();
  const differences: Difference[] = [];
  let batch = new Map<string, RecordRow[]>();
  const compare = async (): Promise<void> => {
    const known = await copy.known([...batch.keys()]);
    for (const [record, [first]] of batch) {
      seen.add(record);
      const group = known.get(record)?.group;
      if (group === undefined) {
        differences.push({ record });
        batch.delete(record);
      } else if (group !== `${first?.['redcap_data_access_group'] ?? ''}`)
        differences.push({ record, instrument: '_records', column: 'data_access_group' });
    }
    differences.push(...(await copy.rows.compare(batch)));
    batch = new Map();
  };
  // The rows of a record follow each other. @see docs/protocol/redcap.md 4.3 (wire)
  for await (const row of client.streamRecords({ ...COPIED, signal })) {
    const record = `${row[idField]}`;
    const rows = batch.get(record);
    if (rows !== undefined) {
      rows.push(row);
      continue;
    }
    if (batch.size === BATCH) await compare();
    batch.set(record, [row]);
  }
  await compare();
  for await (const { record } of copy.all()) if (!seen.has(record)) differences.push({ record });
  return differences;
}
