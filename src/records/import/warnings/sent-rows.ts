import type { ProjectStructure } from '../../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../../gateways/redcap/record-row.js';
import { parseRow } from '../../formats/parse-row.js';
import { JsonArraySplitter } from '../../../gateways/redcap/json-array-splitter.js';
import { textOf, toText } from '../cell-values.js';
import { STRUCTURE } from '../column-checks.js';
import type { EventLoopShare } from '../event-loop-share.js';
import type { ImportRequest } from '../import-request.js';
import type { RowPlace } from '../input-item.js';

/** A row that an import would send to REDCap, with its place in the record and in the input. */
export interface PlacedRow {
  readonly event: string;
  /** The repeating instrument; empty for rows of an event. */
  readonly repeatInstrument: string;
  /** `new` if REDCap assigns the number; 0 if nothing repeats. */
  readonly instance: number | 'new';
  /** With `new`: the instance that it gets, or one after it, where that was looked up. */
  readonly firstInstance?: number | undefined;
  /** The data access group that the row gives its record; undefined without that column. */
  readonly group?: string | undefined;
  /** The columns of fields. */
  readonly values: ReadonlyMap<string, string>;
  /** The place of the row in the input. */
  readonly place: RowPlace;
}

/**
 * Parses the rows of one call and groups them by record. Lets other work run in between: a call has up to 4 MiB.
 *
 * @param json the rows as they are sent
 * @param places where each of them stands in the input
 */
export async function sentByRecord(
  json: Buffer,
  places: readonly RowPlace[],
  structure: ProjectStructure,
  { type }: Pick<ImportRequest, 'type'>,
  share: EventLoopShare,
): Promise<Map<string, PlacedRow[]>> {
  const idColumn = type === 'eav' ? 'record' : (structure.dictionary.recordIdField?.name ?? '');
  const rows = new Map<string, PlacedRow[]>();
  for (const [index, bytes] of rowsIn(json).entries()) {
    const row = parseRow(bytes);
    const id = textOf(row, idColumn) ?? '';
    const { event, repeatInstrument, instance } = positionOf(row, structure);
    const group = textOf(row, 'redcap_data_access_group');
    const values = type === 'eav' ? valueOf(row) : valuesOf(row, idColumn);
    const place = places[index] ?? NOWHERE;
    const placed = { event, repeatInstrument, instance, group, values, place };
    const ofRecord = rows.get(id);
    if (ofRecord === undefined) rows.set(id, [placed]);
    else ofRecord.push(placed);
    if (share.hasSpent(bytes.length)) await share.pause();
  }
  return rows;
}

function rowsIn(json: Buffer): Buffer[] {
  const rows: Buffer[] = [];
  new JsonArraySplitter().push(json, (source, start, end) => rows.push(source.subarray(start, end)));
  return rows;
}

/** Returns the cells of fields as text: `RowChecker` passes on numbers of the caller that need no conversion. */
function valuesOf(row: RecordRow, idColumn: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name of Object.keys(row))
    if (name !== idColumn && !IS_STRUCTURE.has(name)) values.set(name, toText(row[name]) ?? '');
  return values;
}

function valueOf(row: RecordRow): ReadonlyMap<string, string> {
  return new Map([[textOf(row, 'field_name') ?? '', textOf(row, 'value') ?? '']]);
}

function positionOf(
  row: RecordRow,
  structure: ProjectStructure,
): Pick<PlacedRow, 'event' | 'repeatInstrument' | 'instance'> {
  // Without an event, the row goes to the first one. @see docs/protocol/redcap.md 5.2 (client)
  const event = textOf(row, 'redcap_event_name') || (structure.eventNames[0] ?? '');
  const repeatInstrument = textOf(row, 'redcap_repeat_instrument') ?? '';
  const doesRepeat = repeatInstrument !== '' || structure.repeatsEvent(event);
  const sent = textOf(row, 'redcap_repeat_instance') ?? '';
  const instance = sent === 'new' ? sent : doesRepeat ? Number(sent) || 1 : 0;
  return { event, repeatInstrument, instance };
}

const NOWHERE: RowPlace = { row: 0, line: 0 };
const IS_STRUCTURE: ReadonlySet<string> = new Set(STRUCTURE);
