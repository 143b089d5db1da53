import { exportRecords } from '../records/export-records.js';
import { selectRows } from '../records/export-selection.js';
import type { ContentCall } from '../content.js';
import type { StudyReport } from '../study.js';
import { Parameters } from '../../../wire/parameters.js';
import type { Answer, Cell } from '../../../wire/answer.js';
import { ApiFailure, invalidParameter } from '../../../wire/api-failure.js';

/** The parameters of a report that mean the same in an export of records. @see docs/protocol/redcap.md 13.1 (client) */
const PASSED_ON = [
  'format',
  'rawOrLabel',
  'rawOrLabelHeaders',
  'exportCheckboxLabel',
  'csvDelimiter',
  'decimalCharacter',
];

/**
 * The rows of a report: flat, with the record ID and the fields of the report, filtered by its logic.
 *
 * @see docs/protocol/redcap.md 13.1 (client, inferred), 20 (client): the right `reports` is not required
 */
export function exportReport(call: ContentCall): Answer {
  const { project, parameters } = call;
  const id = parameters.text('report_id');
  if (id === '') throw invalidParameter('report_id');
  const found = project.study.reports?.find((entry) => String(entry.id) === id);
  if (found === undefined) throw new ApiFailure(400, `The report ${id} does not exist`);
  // A field that was removed from the dictionary is no longer in the report.
  const others = found.fields.filter((name) => name !== project.idField && project.hasField(name));
  const fields = [project.idField, ...others];
  const selection = new Parameters([
    ...fields.map((name): [string, string] => ['fields[]', name]),
    ...filtersOf(call, found),
    ...SETTINGS.map(([setting, name]): [string, string] => [name, found.others?.[setting] ?? '']),
    ...PASSED_ON.map((name): [string, string] => [name, parameters.text(name)]),
  ]);
  const answer = inOrder(exportRecords({ ...call, parameters: selection }), fields);
  const isOnOneLine = call.format === 'csv' && found.others?.remove_line_breaks_in_values !== '0';
  return isOnOneLine ? onOneLine(answer) : answer;
}

/**
 * The settings of a report that are parameters of an export of records, by their names in project XML.
 *
 * @see docs/protocol/redcap.md 13.1 (doc), 20 (file)
 */
const SETTINGS = [
  ['output_dags', 'exportDataAccessGroups'],
  ['output_survey_fields', 'exportSurveyFields'],
  ['combine_checkbox_values', 'combineCheckboxOptions'],
] as const;

/**
 * Returns the filters of a report as parameters of an export of records. An event that the project no longer has does
 * not filter.
 *
 * @see docs/protocol/redcap.md 20 (file, doc)
 */
function filtersOf(call: ContentCall, report: StudyReport): [string, string][] {
  const { project } = call;
  const groups = report.filterGroups ?? [];
  const events = (report.filterEvents ?? [])
    .filter((name) => project.event(name) !== undefined)
    .map((name): [string, string] => ['events[]', name]);
  const logic: [string, string] = ['filterLogic', report.filterLogic];
  if (groups.length === 0 && report.isFilteredByRecord !== true) return [...events, logic];
  const matching = selectRows({ ...call, parameters: new Parameters([logic]) })
    .map(({ record }) => record)
    .filter(({ group }) => groups.length === 0 || groups.includes(group));
  const ids = matching.length === 0 ? [NO_RECORD] : matching.map(({ id }) => id);
  return [
    ...[...new Set(ids)].map((id): [string, string] => ['records[]', id]),
    ...events,
    ...(report.isFilteredByRecord === true ? [] : [logic]),
  ];
}

/** Longer than any name of a record: an empty list would select every record. */
const NO_RECORD = '-'.repeat(101);

/** In a report as CSV the line breaks of a value are two blanks. @see docs/protocol/redcap.md 20 (client) */
function onOneLine(answer: Answer): Answer {
  if (answer.kind !== 'list') return answer;
  const flattened = (cell: Cell): Cell =>
    typeof cell === 'string' ? cell.replace(/\r\n|\r|\n/g, '  ') : cell;
  return { ...answer, rows: answer.rows.map((cells) => cells.map(flattened)) };
}

/**
 * Sorts the columns as the report does: the record ID and the columns that identify the row, then the report's fields.
 */
function inOrder(answer: Answer, fields: readonly string[]): Answer {
  if (answer.kind !== 'list') return answer;
  const positionOf = (column: string): number => {
    const [field = ''] = column.split('___');
    // The identifying columns after the record ID are not fields; they stay next to it.
    return Math.max(0, fields.includes(column) ? fields.indexOf(column) : fields.indexOf(field));
  };
  const order = answer.columns
    .map((column, index) => ({ index, position: positionOf(column) }))
    .sort((left, right) => left.position - right.position)
    .map(({ index }) => index);
  const arrange = <Item>(items: readonly Item[]): Item[] =>
    order.flatMap((index) => items.slice(index, index + 1));
  const { headings } = answer.csv;
  return {
    ...answer,
    columns: arrange(answer.columns),
    rows: answer.rows.map(arrange),
    csv: { ...answer.csv, ...(headings && { headings: arrange(headings) }) },
  };
}
