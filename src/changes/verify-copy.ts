import type { CrfClient, RecordRow } from '../gateways/redcap/crf-client.js';
import type { Difference, SqliteCopy } from './sqlite-copy.js';

/**
 * Compares a copy with a fresh export of everything, cell by cell. What people change meanwhile differs as well.
 *
 * @param idField the name of the record id field
 * @returns the places that differ, without their values
 * @throws {CrfError} errors of `CrfClient.streamRecords`
 */
export async function verifyCopy(
  client: Pick<CrfClient, 'streamRecords'>,
  copy: SqliteCopy,
  idField: string,
  signal?: AbortSignal,
): Promise<Difference[]> {
  const unseen = copy.known();
  const differences: Difference[] = [];
  const compare = (rows: readonly RecordRow[]): void => {
    const [first] = rows;
    if (first === undefined) return;
    const record = `${first[idField]}`;
    const known = unseen.get(record);
    unseen.delete(record);
    if (known === undefined) differences.push({ record });
    else if (known.group !== `${first['redcap_data_access_group'] ?? ''}`)
      differences.push({ record, instrument: '_records', column: 'data_access_group' });
    differences.push(...copy.compare(record, rows));
  };
  let rows: RecordRow[] = [];
  // The rows of a record follow each other. @see docs/protocol/redcap.md 4.3 (wire)
  for await (const row of client.streamRecords({ exportDataAccessGroups: true, signal })) {
    if (rows[0] !== undefined && rows[0][idField] !== row[idField]) {
      compare(rows);
      rows = [];
    }
    rows.push(row);
  }
  compare(rows);
  for (const record of unseen.keys()) differences.push({ record });
  return differences;
}
