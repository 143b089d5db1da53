import { createHash } from 'node:crypto';
import type { Caller } from '../caller.js';
import type { SandboxProject } from '../project.js';
import type { SelectedRow } from './select-rows.js';
import type { StoredRecord } from './stored-record.js';

/**
 * Replaces record IDs by 32 hexadecimal characters if the caller's export is de-identified.
 *
 * @see docs/protocol/redcap.md 4.7 (doc, client)
 */
export function hashedIds(
  rows: readonly SelectedRow[],
  project: SandboxProject,
  caller: Caller,
): readonly SelectedRow[] {
  const instrument = project.study.fields[0]?.instrument ?? '';
  if (caller.exportRight(instrument) !== 2) return rows;
  const hashed = new Map<StoredRecord, StoredRecord>();
  return rows.map(({ record, row }) => {
    const known = hashed.get(record) ?? record.renamed(hashOf(record.id, project), record.changedAt);
    hashed.set(record, known);
    return { record: known, row, storedId: record.id };
  });
}

function hashOf(id: string, project: SandboxProject): string {
  return createHash('md5')
    .update(`${project.id}\n${project.study.project.creationTime}\n${id}`)
    .digest('hex');
}
