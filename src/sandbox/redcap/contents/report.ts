import { exportRecords } from '../records/export-records.js';
import type { Content } from '../content.js';
import type { ContentCall } from '../content-call.js';
import { Parameters } from '../wire/parameters.js';
import type { Answer } from '../wire/answer.js';
import { ApiFailure } from '../wire/api-failure.js';

/** The rows of a report: flat, with the record ID, the report's fields and its filter. @see docs/protocol/redcap.md 13.1 (client, inferred) */
export const report: Content = {
  name: 'report',
  actions: { export: { rights: ['api_export', 'reports'], run: exportReport } },
};

const PASSED_ON = [
  ...['format', 'rawOrLabel', 'rawOrLabelHeaders', 'exportCheckboxLabel', 'csvDelimiter', 'decimalCharacter'],
];

function exportReport(call: ContentCall): Answer {
  const { project, parameters } = call;
  const id = parameters.text('report_id');
  const found = project.study.reports?.find((entry) => String(entry.id) === id);
  if (found === undefined) throw new ApiFailure(400, `The report ${id} does not exist`);
  const fields = [project.idField, ...found.fields.filter((name) => name !== project.idField)];
  const selection = new Parameters([
    ...fields.map((name): [string, string] => ['fields[]', name]),
    ['filterLogic', found.filterLogic],
    ...PASSED_ON.map((name): [string, string] => [name, parameters.text(name)]),
  ]);
  return exportRecords({ ...call, parameters: selection });
}
