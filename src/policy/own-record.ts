import type { ProjectStructure } from '../dictionary/project-structure.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import type { CallOptions, CrfCalls, RecordRow, RecordSelection } from '../gateways/redcap/crf-client.js';
import { compileLogic } from '../logic/evaluator.js';
import { parseLogic } from '../logic/parser.js';
import { quoteText } from '../logic/quote-text.js';
import { RecordView, textOf } from '../records/rules/record-view.js';
import type { RowRule } from './project-view.js';

type OwnRule = Extract<RowRule, { kind: 'own' }>;

/**
 * Reads the rows of the one record that is somebody's own, in two calls: the first finds its id, and the second has the
 * rows together with the value that decides, which may have changed in between.
 *
 * @param selection what to ask REDCap for; a filter is evaluated here, because it could leave out the row that decides
 * @returns no rows if no record has the value, or several have it
 * @throws {InvalidRequestError} the filter has no known value on a row
 */
export async function readOwnRecord(
  calls: Pick<CrfCalls, 'exportRecords'>,
  structure: ProjectStructure,
  rule: OwnRule,
  selection: RecordSelection & CallOptions,
): Promise<readonly RecordRow[]> {
  const { signal, caller, traceparent, events, records } = selection;
  const call = { signal, caller, traceparent };
  const idField = structure.dictionary.recordIdField?.name ?? '';
  const wanted = rule.equals.trim().toLowerCase();
  const text = quoteText(wanted);
  const isComplete = wanted !== '' && structure.isLongitudinal === (rule.event !== undefined);
  if (text === undefined || !isComplete) return [];
  const decides = (row: RecordRow): boolean =>
    textOf(row, rule.field).trim().toLowerCase() === wanted &&
    textOf(row, 'redcap_event_name') === (rule.event ?? '');

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
    filterLogic: undefined,
  });
  const ofRecord = rows.filter((row) => textOf(row, idField) === id);
  if (!ofRecord.some(decides)) return [];
  const seen = ofRecord.filter((row) => events?.includes(textOf(row, 'redcap_event_name')) ?? true);
  return seen.filter(filterOf(selection.filterLogic, new RecordView(structure, id, ofRecord), ofRecord));
}

/** Returns the filter of the rows of one record. */
function filterOf(
  filterLogic: RecordSelection['filterLogic'],
  record: RecordView,
  rows: readonly RecordRow[],
): (row: RecordRow) => boolean {
  if (filterLogic === undefined) return () => true;
  const parsed = parseLogic(filterLogic.toString());
  const logic = 'problem' in parsed ? undefined : compileLogic(parsed.tree);
  return (row) => {
    const viewed = record.rows[rows.indexOf(row)];
    const result = viewed && logic?.isTrue(record.scopeOf(viewed));
    if (result === undefined)
      throw new InvalidRequestError([
        {
          field: 'filterLogic',
          message: 'cannot be evaluated under this policy; name the event or instance of each field',
        },
      ]);
    return result;
  };
}
