import { createHash } from 'node:crypto';
import type { Caller } from '../caller.js';
import type { SandboxProject } from '../project.js';
import { selectColumns, type ExportSelection } from './export-selection.js';
import { styleOf } from './export-values.js';
import { selectRows, type SelectedRow } from './select-rows.js';
import type { StoredRecord } from './stored-record.js';
import type { Answer } from '../wire/answer.js';
import { delimiterOf } from '../wire/delimiter.js';
import { toEav } from './export-eav.js';
import { toFlat } from './export-flat.js';
import type { ContentCall } from '../content-call.js';

/**
 * `content=record`, export.
 *
 * @throws {ApiFailure} 400 for fields, forms and events that do not exist, and for logic that cannot be read
 * @see docs/protocol/redcap.md 4 (wire, client)
 */
export function exportRecords({ project, parameters, caller, format }: ContentCall): Answer {
  const type = parameters.oneOf('type', ['flat', 'eav']);
  const selection = selectColumns(project, parameters, caller);
  const rows = hashedIds(selectRows(project, parameters, caller), project, caller);
  const style = styleOf(parameters);
  const isLabelled = format === 'csv' && parameters.text('rawOrLabelHeaders') === 'label';
  const { headings, ...list } =
    type === 'eav'
      ? { ...toEav(project, selection, rows, style), headings: undefined }
      : toFlat(project, selection, rows, { ...style, isCombined: parameters.flag('combineCheckboxOptions') });
  project.log.add({
    username: caller.username,
    kind: 'export',
    action: 'Data Export (API)',
    details: detailsOf(selection),
  });
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

/** What the log says of an export: its fields. */
function detailsOf({ columns, hasId }: ExportSelection): string {
  const names = columns.map(({ name, field }) => field?.name ?? name);
  return `Export record data (API)${hasId ? '' : ' without the record ID'}: ${[...new Set(names)].join(', ')}`;
}

/** De-identified, record names are 32 hexadecimal characters. @see docs/protocol/redcap.md 4.7 (doc, client) */
function hashedIds(
  rows: readonly SelectedRow[],
  project: SandboxProject,
  caller: Caller,
): readonly SelectedRow[] {
  const instrument = project.study.fields[0]?.instrument ?? '';
  if (caller.exportRight(instrument) !== 2) return rows;
  const hashed = new Map<StoredRecord, StoredRecord>();
  return rows.map(({ record, row }) => {
    const known = hashed.get(record) ?? record.renamed(hashOf(record.id, project), record.changedAt);
    hashed.set(record, known);
    return { record: known, row };
  });
}

function hashOf(id: string, project: SandboxProject): string {
  return createHash('md5')
    .update(`${project.id}\n${project.study.project.creationTime}\n${id}`)
    .digest('hex');
}
