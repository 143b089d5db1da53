import type { CallOptions, CrfCalls, RecordRow, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { ProblemError } from '../../domain/errors/problem-error.js';

/**
 * Returns the rows of one record, one per event and repeat instance.
 *
 * @returns an empty list if the record exists but has no row in the selection
 * @throws {ProblemError} `record_not_found`: the project has no such record
 */
export async function rowsOfRecord(
  source: CrfCalls,
  id: string,
  selection: Omit<RecordSelection, 'records'>,
  call: CallOptions,
): Promise<RecordRow[]> {
  const rows = await source.exportRecords({ ...selection, ...call, records: [id] });
  if (rows.length === 0 && !(await exists(source, id, call))) throw new ProblemError('record_not_found');
  return rows;
}

async function exists(source: CrfCalls, id: string, call: CallOptions): Promise<boolean> {
  const [idField] = await source.fields.list(call);
  if (idField === undefined) return false;
  const rows = await source.exportRecords({ ...call, records: [id], fields: [idField.name] });
  return rows.length > 0;
}
