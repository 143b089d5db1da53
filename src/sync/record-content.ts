import { createHash, createHmac } from 'node:crypto';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';
import type { RecordRow } from '../gateways/redcap/crf-client.js';
import type { Change, KnownRecord, ProjectLists } from './change-store.js';

/** Returns what is new about a record. A rename is a new id and a vanished one with the same content. */
export function changesOf(
  record: string,
  { hash, group }: Pick<KnownRecord, 'hash' | 'group'>,
  known: ReadonlyMap<string, KnownRecord>,
  renames: ReadonlyMap<string, string>,
): Change[] {
  const before = known.get(record);
  if (before === undefined) {
    const from = renames.get(record);
    const isSame = from !== undefined && known.get(from)?.hash === hash;
    return [isSame ? { type: 'renamed', record, from } : { type: 'created', record }];
  }
  return [
    ...(before.hash === hash ? [] : [{ type: 'changed' as const, record }]),
    ...(before.group === group ? [] : [{ type: 'regrouped' as const, record }]),
  ];
}

/**
 * Hashes the content of a record: its cells that are not empty, without its id and group. A new field that is empty
 * everywhere changes no record.
 */
export function hashOf(key: string, idField: string, rows: readonly RecordRow[]): string {
  const hmac = createHmac('sha256', key);
  for (const row of rows) {
    const cells: (string | number)[] = [];
    for (const name in row) {
      const value = row[name] ?? '';
      if (value !== '' && name !== idField && name !== 'redcap_data_access_group') cells.push(name, value);
    }
    hmac.update(JSON.stringify(cells));
  }
  return hmac.digest('base64url');
}

/** Returns a digest of what tables and rows are made by. */
export function digestOf(structure: ProjectStructure, lists: ProjectLists): string {
  const { dictionary, events, eventNames, missingDataCodes } = structure;
  const places = eventNames.map((event) => {
    const there = structure.instrumentsAt(event);
    const repeating = there.filter((instrument) => structure.repeatsInstrument(event, instrument));
    return [event, there, structure.repeatsEvent(event), repeating];
  });
  const names = structure.exportColumns().map(({ name }) => name);
  return createHash('sha256')
    .update(JSON.stringify([dictionary.fields, names, events, places, [...missingDataCodes], lists]))
    .digest('base64url');
}

/**
 * Refuses a row that is not of the structure.
 *
 * @param isFresh whether the structure was just read: then a column that it lacks is one that REDCap adds
 * @throws {CopyStoppedError} the export lacks a field of the data dictionary, or has one that is not in it
 */
export function refuseOtherColumns(row: RecordRow, structure: ProjectStructure, isFresh: boolean): void {
  const { dictionary } = structure;
  const missing = dictionary.exportColumns().find(({ name }) => !Object.hasOwn(row, name));
  if (missing !== undefined)
    throw new CopyStoppedError(
      `The export lacks the field ${missing.name}, which is in the data dictionary. The token's user may have lost the right to export it in full: check the rights, then run this again.`,
    );
  if (isFresh) return;
  const added = structure.missingDataColumns();
  const isKnown = (name: string): boolean =>
    dictionary.column(name) !== undefined || added.has(name) || name.startsWith('redcap_');
  if (!Object.keys(row).every(isKnown))
    throw new CopyStoppedError('The data dictionary has changed during the look. Run this again.');
}
