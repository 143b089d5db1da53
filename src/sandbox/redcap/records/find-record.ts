import type { ContentCall } from '../content-call.js';
import { ApiFailure } from '../wire/api-failure.js';
import type { StoredRecord } from './stored-record.js';

/**
 * Returns the record that a call names. A record that the caller may not see is treated as missing.
 *
 * @throws {ApiFailure} 400 if there is none
 * @see docs/protocol/redcap.md 2.2 (client)
 */
export function findRecord(
  { project, caller }: Pick<ContentCall, 'project' | 'caller'>,
  id: string,
): StoredRecord {
  const record = project.records.get(id);
  if (record !== undefined && caller.sees(record)) return record;
  throw new ApiFailure(400, `The record "${id}" does not exist`);
}
