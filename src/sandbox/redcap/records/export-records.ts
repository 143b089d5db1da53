import { type ExportSelection, rowsToExport, selectColumns } from './export-selection.js';
import { styleOf } from './export-values.js';
import type { Answer } from '../../../wire/answer.js';
import { delimiterOf } from '../../../wire/parameters.js';
import { writeOdmRecords } from '../odm/write-project-xml.js';
import { toEav, toFlat } from './export-rows.js';
import type { ContentCall } from '../content.js';

/** As recorded, with a blank at its end. @see docs/protocol/redcap.md 20 (client) */
const EXPORT_ACTION = 'Data Export (API) ';

/**
 * Exports records: `content=record`.
 *
 * @throws {ApiFailure} 400 for unknown fields, forms and events, and for invalid logic
 * @see docs/protocol/redcap.md 4 (wire, client)
 */
export function exportRecords(call: ContentCall): Answer {
  const { project, parameters, caller, format } = call;
  if (parameters.text('format') === 'odm') return exportOdm(call);
  const type = parameters.oneOf('type', ['flat', 'eav']);
  const selection = selectColumns(call);
  const rows = rowsToExport(call);
  const style = styleOf(parameters);
  const isLabelled = format === 'csv' && parameters.text('rawOrLabelHeaders') === 'label';
  const { headings, ...list } =
    type === 'eav'
      ? { ...toEav(project, selection, rows, style), headings: undefined }
      : toFlat(project, selection, rows, {
          ...style,
          isCombined: call.version.isAtLeast('16.0.8') && parameters.flag('combineCheckboxOptions'),
        });
  project.log.add({
    username: caller.username,
    kind: 'export',
    action: EXPORT_ACTION,
    details: detailsOf(selection),
  });
  return {
    ...list,
    kind: 'list',
    root: 'records',
    csv: {
      delimiter: delimiterOf(parameters),
      // Without rows there is no header, and from 17.4 on no line feed either. @see docs/protocol/redcap.md 1.8
      // (client), 20 (issue)
      hasTrailingLineFeed: list.rows.length > 0 || !call.version.isAtLeast('17.4'),
      ...(isLabelled && headings !== undefined && { headings }),
    },
  };
}

/**
 * Exports records as CDISC ODM. Neither `type` nor labels change the result.
 *
 * @see docs/protocol/redcap.md 4.6 (inferred)
 */
function exportOdm(call: ContentCall): Answer {
  const { project, caller, version } = call;
  const selection = selectColumns(call, { hasId: true });
  const style = { isLabel: false, hasCheckboxLabels: false, isGrayBlank: true, decimalCharacter: '' };
  const { columns, rows } = toFlat(project, selection, rowsToExport(call), { ...style, isCombined: false });
  const details = detailsOf(selection);
  project.log.add({ username: caller.username, kind: 'export', action: EXPORT_ACTION, details });
  const odmRows = rows.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? ''])));
  return { kind: 'written', body: writeOdmRecords(project, version, odmRows), format: 'xml' };
}

/** Returns the details of the log entry: the exported fields. */
function detailsOf({ columns, hasId }: ExportSelection): string {
  const names = columns.map(({ name, field }) => field?.name ?? name);
  return `Export record data (API)${hasId ? '' : ' without the record ID'}: ${[...new Set(names)].join(', ')}`;
}
