import { z } from 'zod';
import type { ProjectStructure } from '../../../dictionary/project-structure.js';
import type { ImportRequest } from '../import-request.js';
import { STRUCTURE } from '../column-checks.js';
import type { RowPlace } from '../input-item.js';

/** A row of an import as it is sent to REDCap. */
export interface SentRow {
  readonly event: string;
  /** The repeating instrument; empty for rows of an event. */
  readonly repeatInstrument: string;
  /** `new` if REDCap assigns the number; 0 if nothing repeats. */
  readonly instance: number | 'new';
  /** The columns of fields. */
  readonly values: ReadonlyMap<string, string>;
  /** The place of the row in the input. */
  readonly place: RowPlace;
}

/** A cell written by `RowChecker`: text, or the scalar of the client if it was not converted. */
const CELL = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => (typeof value === 'boolean' ? (value ? '1' : '0') : `${value ?? ''}`));
const CHUNK = z.array(z.record(z.string(), CELL));

/**
 * Parses the rows of one call and groups them by record.
 *
 * @param json the rows as they are sent
 * @param placeOfNext returns the place in the input of each row in turn
 */
export function sentByRecord(
  json: Buffer,
  structure: ProjectStructure,
  { type, dateFormat }: Pick<ImportRequest, 'type' | 'dateFormat'>,
  placeOfNext: () => RowPlace,
): Map<string, SentRow[]> {
  const idColumn = type === 'eav' ? 'record' : (structure.dictionary.recordIdField?.name ?? '');
  const rows = new Map<string, SentRow[]>();
  for (const row of CHUNK.parse(JSON.parse(json.toString('utf8')))) {
    const id = row[idColumn] ?? '';
    const cells =
      type === 'eav'
        ? [[row['field_name'] ?? '', row['value'] ?? ''] as const]
        : Object.entries(row).filter(([name]) => name !== idColumn && !IS_STRUCTURE.has(name));
    const values = cells.map(([name, value]) => [name, asStored(value, dateFormat)] as const);
    const ofRecord = rows.get(id) ?? [];
    rows.set(id, ofRecord);
    ofRecord.push({ ...positionOf(row, structure), values: new Map(values), place: placeOfNext() });
  }
  return rows;
}

function positionOf(
  row: Readonly<Record<string, string>>,
  structure: ProjectStructure,
): Omit<SentRow, 'values' | 'place'> {
  const event = row['redcap_event_name'] ?? '';
  const repeatInstrument = row['redcap_repeat_instrument'] ?? '';
  const doesRepeat = repeatInstrument !== '' || structure.repeatsEvent(event);
  const sent = row['redcap_repeat_instance'] ?? '';
  const instance = sent === 'new' ? sent : doesRepeat ? Number(sent) || 1 : 0;
  return { event, repeatInstrument, instance };
}

/** Converts a date that is sent in another order to the order in which REDCap stores it. */
function asStored(value: string, dateFormat: ImportRequest['dateFormat']): string {
  if (dateFormat !== 'MDY' && dateFormat !== 'DMY') return value;
  const [, first, second, year, rest = ''] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(\s.*)?$/.exec(value) ?? [];
  if (first === undefined || second === undefined || year === undefined) return value;
  const [month, day] = dateFormat === 'MDY' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}`;
}

const IS_STRUCTURE: ReadonlySet<string> = new Set(STRUCTURE);
