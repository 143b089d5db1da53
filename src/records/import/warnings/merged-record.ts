import type { ProjectStructure } from '../../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../../gateways/redcap/crf-client.js';
import { askedRecordsOf } from '../../rules/hashed-ids.js';
import { placeOf, RecordView, textOf, type ViewedRow } from '../../rules/record-view.js';
import type { RowPlace } from '../input-item.js';
import type { PlacedRow } from './sent-rows.js';

/** A record as it will be after an import, and the parts that come from the import. */
export interface MergedRecord {
  readonly view: RecordView;
  /** A stored row, which has every column that the caller may read; undefined if the record is new. */
  readonly sample: RecordRow | undefined;
  readonly touched: readonly TouchedRow[];
  /** The data access group before and after, and the row that gives it; undefined if the import gives none. */
  readonly group: ({ readonly old: string; readonly new: string } & RowPlace) | undefined;
}

/** A row that the import changes. */
export interface TouchedRow {
  readonly row: ViewedRow;
  /** The place in the input of the first row for it. */
  readonly place: RowPlace;
  /** The row as it is stored; undefined if the import creates it. */
  readonly stored: RecordRow | undefined;
  /** Whether REDCap chooses its instance; until then it has the number after the last one. */
  readonly isNewInstance: boolean;
  /** The columns that the import sets or erases, each with the place of the last row that does. */
  readonly columns: ReadonlyMap<string, RowPlace>;
}

type Cells = Record<string, string | number>;

/**
 * Merges the rows of a call into what is stored of their records. Those of which nothing is stored come last.
 *
 * @param exported what is stored; undefined if all records are new
 * @param option the option for which it is read
 * @throws {HashedIdsError} REDCap answers hashed ids
 */
export async function* mergedRecords(
  structure: ProjectStructure,
  exported: AsyncIterable<RecordRow> | undefined,
  sent: ReadonlyMap<string, readonly PlacedRow[]>,
  { doesErase, option }: { readonly doesErase: boolean; readonly option: string },
): AsyncGenerator<{ merged: MergedRecord; stored: readonly RecordRow[]; rows: readonly PlacedRow[] }> {
  const unknown = new Map(sent);
  if (exported !== undefined)
    for await (const [id, stored] of askedRecordsOf(exported, structure, sent, option)) {
      const rows = unknown.get(id);
      if (rows === undefined) continue;
      unknown.delete(id);
      yield { merged: mergeRecord(structure, id, stored, rows, doesErase), stored, rows };
    }
  for (const [id, rows] of unknown)
    yield { merged: mergeRecord(structure, id, [], rows, doesErase), stored: [], rows };
}

/** Merges the rows of an import into the stored ones. @param doesErase whether a blank value erases the stored one */
export function mergeRecord(
  structure: ProjectStructure,
  id: string,
  stored: readonly RecordRow[],
  sent: readonly PlacedRow[],
  doesErase: boolean,
): MergedRecord {
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const rows = new Map<string, Cells>(stored.map((row) => [keyOf(row), { ...row }]));
  const touched = new Map<string, Omit<TouchedRow, 'row' | 'stored'> & { columns: Map<string, RowPlace> }>();
  const last = lastInstances(stored);
  for (const { event, repeatInstrument, instance, values, place: inInput } of sent) {
    const series = placeOf(event, repeatInstrument, 0);
    const lastOfSeries = last.get(series) ?? 0;
    const number = instance === 'new' ? lastOfSeries + 1 : instance;
    last.set(series, Math.max(number, lastOfSeries));
    const place: Cells = {
      redcap_event_name: event,
      redcap_repeat_instrument: repeatInstrument,
      redcap_repeat_instance: number === 0 ? '' : number,
    };
    const key = placeOf(event, repeatInstrument, number);
    const row = rows.get(key) ?? place;
    const change = touched.get(key) ?? {
      place: inInput,
      columns: new Map<string, RowPlace>(),
      isNewInstance: instance === 'new',
    };
    rows.set(key, row);
    touched.set(key, change);
    for (const [name, value] of values) {
      if (value === '' && !doesErase) continue;
      change.columns.set(name, inInput);
      row[name] = value;
    }
  }
  const view = new RecordView(structure, id, [...rows.values()]);
  return {
    view,
    sample: stored[0],
    group: groupOf(stored, sent, doesErase),
    touched: view.rows.flatMap((row) => {
      const change = touched.get(keyOf(row.values));
      return change === undefined ? [] : [{ row, stored: before.get(keyOf(row.values)), ...change }];
    }),
  };
}

/** Returns the group of a record before and after an import, which the last row that gives one decides. */
function groupOf(
  stored: readonly RecordRow[],
  sent: readonly PlacedRow[],
  doesErase: boolean,
): MergedRecord['group'] {
  const [first] = stored;
  const last = sent.findLast(({ group }) => group !== undefined && (group !== '' || doesErase));
  // A caller in a group does not see the column, and cannot change it.
  if (last?.group === undefined || (first !== undefined && !Object.hasOwn(first, GROUP))) return undefined;
  return { old: first === undefined ? '' : textOf(first, GROUP), new: last.group, ...last.place };
}

const GROUP = 'redcap_data_access_group';

/** Returns the highest instance of each series of one record. */
function lastInstances(rows: readonly RecordRow[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const row of rows) {
    const [event, instrument] = [textOf(row, 'redcap_event_name'), textOf(row, 'redcap_repeat_instrument')];
    const series = placeOf(event, instrument, 0);
    last.set(series, Math.max(Number(textOf(row, 'redcap_repeat_instance')), last.get(series) ?? 0));
  }
  return last;
}

/** Returns the place of a stored row in its record. */
export function keyOf(row: RecordRow): string {
  const [event, instrument] = [textOf(row, 'redcap_event_name'), textOf(row, 'redcap_repeat_instrument')];
  return placeOf(event, instrument, Number(textOf(row, 'redcap_repeat_instance')));
}
