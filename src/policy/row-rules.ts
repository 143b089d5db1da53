import type { DataDictionary } from '../domain/dictionary/data-dictionary.js';
import { checkboxColumnName } from '../domain/dictionary/export-column.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { InvalidRequestError } from '../domain/errors/caller-errors.js';
import type { CallOptions, CrfCalls, RecordSelection } from '../gateways/redcap/crf-client.js';
import { cellOf, type RecordRow } from '../gateways/redcap/record-row.js';
import { compileLogic, type LogicScope } from '../domain/logic/evaluator.js';
import { parseLogic } from '../domain/logic/parser.js';
import { quoteText } from '../domain/logic/printer.js';
import type { LogicNode } from '../domain/logic/syntax.js';
import { RecordView, textOf, type ViewedRow } from '../records/rules/record-view.js';
import type { RowRule } from './project-view.js';
import type { RowColumns } from './row-columns.js';
import { EVENT, GROUP, RowPlaces } from './view-rows.js';

type OwnRule = Extract<RowRule, { kind: 'own' }>;

/**
 * Reads the rows of the one record that is somebody's own, always together with the value that decides. Where a record is
 * one row, one call finds it. Elsewhere the first call finds the id of the record and the second has its rows; the value
 * may have changed in between.
 *
 * @param selection what to ask REDCap for, without a filter, which could leave out the row that decides
 * @returns no rows if no record has the value, or several have it
 */
export async function readOwnRecord(
  calls: Pick<CrfCalls, 'exportRecords'>,
  structure: ProjectStructure,
  rule: OwnRule,
  selection: RecordSelection & CallOptions,
): Promise<readonly RecordRow[]> {
  const { signal, caller, traceparent, records } = selection;
  const idField = structure.dictionary.recordIdField?.name ?? '';
  const wanted = rule.equals.trim().toLowerCase();
  const text = quoteText(wanted);
  const events = eventsWith(rule, structure);
  if (wanted === '' || text === undefined || events.length === 0) return [];
  const decides = (row: RecordRow): boolean =>
    textOf(row, rule.field).trim().toLowerCase() === wanted && events.includes(textOf(row, EVENT));

  const rowsOf: RecordSelection & CallOptions = {
    ...selection,
    fields: [...new Set([idField, ...(selection.fields ?? []), rule.field])],
    events: undefined,
  };
  const isOneRow = !structure.isLongitudinal && !structure.hasRepeats;
  const only: RecordSelection & CallOptions = isOneRow
    ? { ...rowsOf, records: undefined }
    : {
        signal,
        caller,
        traceparent,
        fields: [idField, rule.field],
        events: structure.isLongitudinal ? events : undefined,
      };
  const conditions = events.map(
    (event) => `lower(${event === '' ? '' : `[${event}]`}[${rule.field}]) = ${text}`,
  );
  const found = await calls.exportRecords({ ...only, filterLogic: conditions.join(' or ') });
  const own = found.filter(decides);
  const [id, ...others] = new Set(own.map((row) => textOf(row, idField)));
  const isAsked = id !== undefined && (records === undefined || records.includes(id));
  if (id === undefined || others.length > 0 || !isAsked) return [];
  if (isOneRow) return own;

  const rows = await calls.exportRecords({ ...rowsOf, records: [id] });
  const ofRecord = rows.filter((row) => textOf(row, idField) === id);
  return ofRecord.some(decides) ? ofRecord : [];
}

/** Returns the events at which the value may stand that decides; that of a classic project has no name. */
function eventsWith({ field, events }: OwnRule, structure: ProjectStructure): readonly string[] {
  if (events !== undefined) return structure.isLongitudinal ? events : [];
  return structure.eventsOf(structure.dictionary.field(field)?.instrument ?? '');
}

/** Returns whether a record is one of the view, by its rows; the own record was read as such. */
export function membershipOf(
  whole: ProjectStructure,
  rule: RowRule,
): (rows: readonly RecordRow[], record: string) => boolean {
  switch (rule.kind) {
    case 'dag':
      return (rows) => rows.every((row) => cellOf(row, GROUP) === rule.dag);
    case 'where': {
      const evaluate = evaluationOf(new RowPlaces(whole), rule.logic);
      return (rows, record) => evaluate(rows, record).includes(true);
    }
    default:
      return () => rule.kind !== 'none';
  }
}

/**
 * Returns what selects among the rows of a record in a view, as an export of these events with this filter does;
 * undefined if there is nothing to select. REDCap evaluates the filter on rows that the view does not have.
 */
export function selectionOf(
  { places, idName }: RowColumns,
  events: readonly string[] | undefined,
  filterLogic: RecordSelection['filterLogic'],
): ((rows: readonly RecordRow[]) => readonly RecordRow[]) | undefined {
  const isOfEvents = (row: RecordRow): boolean => events?.includes(textOf(row, EVENT)) ?? true;
  if (filterLogic === undefined) return events && ((rows) => rows.filter(isOfEvents));
  const parsed = parseLogic(filterLogic.toString());
  const evaluate = 'problem' in parsed ? undefined : evaluationOf(places, parsed.tree);
  return (rows) => {
    const [first] = rows;
    if (first === undefined) return rows;
    const results = evaluate?.(rows, textOf(first, idName)) ?? [];
    return rows.filter((row, at) => {
      if (!isOfEvents(row)) return false;
      const result = results[at];
      if (result === undefined) throw new InvalidRequestError([{ field: 'filterLogic', message: UNKNOWN }]);
      return result;
    });
  };
}

const UNKNOWN = 'cannot be evaluated under this policy; name the event or instance of each field';

/** Returns whether logic is true on each of the rows of a record; undefined where that is not known. */
function evaluationOf(
  places: RowPlaces,
  tree: LogicNode,
): (rows: readonly RecordRow[], record: string) => (boolean | undefined)[] {
  const { structure } = places;
  const logic = compileLogic(tree, { missingDataCodes: structure.missingDataCodes });
  return (rows, id) => {
    const record = new RecordView(
      structure,
      id,
      rows.map((row) => places.withStatuses(row)),
    );
    return record.rows.map((row) => logic.isTrue(filterScope(record, row, structure.dictionary)));
  };
}

/**
 * Returns the scope of a filter on a row: a reference without an event or an instance is to the row itself.
 *
 * @see docs/protocol/redcap.md 4.3 (doc, inferred)
 */
function filterScope(record: RecordView, row: ViewedRow, dictionary: DataDictionary): LogicScope {
  const scope = record.scopeOf(row);
  return {
    smart: (name) => scope.smart(name),
    value: (reference) => {
      const { event, instance, code } = reference;
      const name = reference.field.toLowerCase();
      if (event !== undefined || instance !== undefined || name === dictionary.recordIdField?.name)
        return scope.value(reference);
      const column = dictionary.column(code === undefined ? name : checkboxColumnName(name, code));
      if (column === undefined || (column.choice === undefined) !== (code === undefined)) return undefined;
      const value = textOf(row.values, column.name);
      return value === '' && code !== undefined ? '0' : value;
    },
  };
}
