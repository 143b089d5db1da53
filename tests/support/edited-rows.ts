import type { RecordRow } from '../../src/gateways/redcap/crf-client.js';

const KEYS = ['record_id', 'redcap_event_name', 'redcap_repeat_instrument', 'redcap_repeat_instance'];

/** Changes some cells of an export: each number selects a row, a column, and a value of that column elsewhere. */
export function edited(
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
