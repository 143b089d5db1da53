import type { DataDictionary } from '../dictionary/data-dictionary.js';
import { checkboxColumnName } from '../dictionary/export-column.js';
import type { ProjectStructure } from '../dictionary/project-structure.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import type { CallOptions, CrfCalls, RecordRow, RecordSelection } from '../gateways/redcap/crf-client.js';
import { compileLogic, type LogicScope } from '../logic/evaluator.js';
import { parseLogic } from '../logic/parser.js';
import { quoteText } from '../logic/quote-text.js';
import { RecordView, textOf, type ViewedRow } from '../records/rules/record-view.js';
import type { RowRule } from './project-view.js';
import type { RowColumns } from './row-columns.js';
import { EVENT } from './view-rows.js';

type OwnRule = Extract<RowRule, { kind: 'own' }>;

/**
 * Reads the rows of the one record that is somebody's own, in two calls: the first finds its id, and the second has the
 * rows together with the value that decides, which may have changed in between.
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
  const call = { signal, caller, traceparent };
  const idField = structure.dictionary.recordIdField?.name ?? '';
  const wanted = rule.equals.trim().toLowerCase();
  const text = quoteText(wanted);
  const isComplete = wanted !== '' && structure.isLongitudinal === (rule.event !== undefined);
  if (text === undefined || !isComplete) return [];
  const decides = (row: RecordRow): boolean =>
    textOf(row, rule.field).trim().toLowerCase() === wanted && textOf(row, EVENT) === (rule.event ?? '');

  const place = rule.event === undefined ? '' : `[${rule.event}]`;
  const found = await calls.exportRecords({
    ...call,
    fields: [idField, rule.field],
    events: rule.event === undefined ? undefined : [rule.event],
    filterLogic: `lower(${place}[${rule.field}]) = ${text}`,
  });
  const [id, ...others] = new Set(found.filter(decides).map((row) => textOf(row, idField)));
  const isAsked = id !== undefined && (records === undefined || records.includes(id));
  if (id === undefined || others.length > 0 || !isAsked) return [];

  const rows = await calls.exportRecords({
    ...selection,
    records: [id],
    fields: [...new Set([...(selection.fields ?? []), rule.field])],
    events: undefined,
  });
  const ofRecord = rows.filter((row) => textOf(row, idField) === id);
  return ofRecord.some(decides) ? ofRecord : [];
}

/**
 * Returns what selects among the rows of a record in a view, as an export of these events with this filter does;
 * undefined if there is nothing to select. REDCap evaluates the filter on rows that the view does not have.
 */
export function selectionOf(
  columns: RowColumns,
  events: readonly string[] | undefined,
  filterLogic: RecordSelection['filterLogic'],
): ((rows: readonly RecordRow[]) => readonly RecordRow[]) | undefined {
  if (events === undefined && filterLogic === undefined) return undefined;
  const parsed = filterLogic === undefined ? undefined : parseLogic(filterLogic.toString());
  if (parsed !== undefined && 'problem' in parsed) throw notEvaluated();
  const { shown, idName } = columns;
  const logic = parsed && compileLogic(parsed.tree, { missingDataCodes: shown.missingDataCodes });
  return (rows) => {
    const ofEvents = events && ((row: RecordRow) => events.includes(textOf(row, EVENT)));
    const [first] = rows;
    if (logic === undefined || first === undefined) return ofEvents ? rows.filter(ofEvents) : rows;
    const record = new RecordView(
      shown,
      textOf(first, idName),
      rows.map((row) => columns.withStatuses(row)),
    );
    return rows.filter((row, at) => {
      if (ofEvents?.(row) === false) return false;
      const viewed = record.rows[at];
      const result = viewed && logic.isTrue(filterScope(record, viewed, shown.dictionary));
      if (result === undefined) throw notEvaluated();
      return result;
    });
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

function notEvaluated(): InvalidRequestError {
  const message = 'cannot be evaluated under this policy; name the event or instance of each field';
  return new InvalidRequestError([{ field: 'filterLogic', message }]);
}
