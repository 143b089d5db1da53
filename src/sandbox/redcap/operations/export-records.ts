import { selectColumns } from '../records/export-selection.js';
import { styleOf } from '../records/export-values.js';
import { selectRows } from '../records/select-rows.js';
import type { Answer } from '../wire/answer.js';
import { delimiterOf } from '../wire/delimiter.js';
import { toEav } from './export-eav.js';
import { toFlat } from './export-flat.js';
import type { OperationCall } from './operation-call.js';

/**
 * `content=record`, export.
 *
 * @throws {ApiFailure} 400 for fields, forms and events that do not exist, and for logic that cannot be read
 * @see protocol reference 4 (wire, client)
 */
export function exportRecords({ project, parameters, format }: OperationCall): Answer {
  const type = parameters.oneOf('type', ['flat', 'eav']);
  const selection = selectColumns(project, parameters);
  const rows = selectRows(project, parameters);
  const style = styleOf(parameters);
  const isLabelled = format === 'csv' && parameters.text('rawOrLabelHeaders') === 'label';
  const { headings, ...list } =
    type === 'eav'
      ? { ...toEav(project, selection, rows, style), headings: undefined }
      : toFlat(project, selection, rows, { ...style, isCombined: parameters.flag('combineCheckboxOptions') });
  return {
    ...list,
    kind: 'list',
    root: 'records',
    csv: {
      delimiter: delimiterOf(parameters),
      hasTrailingLineFeed: true,
      ...(isLabelled && headings !== undefined && { headings }),
    },
  };
}
