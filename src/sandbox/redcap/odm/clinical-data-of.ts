import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { ContentCall } from '../content.js';
import { selectColumns } from '../records/export-selection.js';
import { hashedIds, selectRows } from '../records/select-rows.js';
import type { ClinicalData } from './write-clinical-data.js';

/**
 * Selects the records that a call requests and its caller may export, as data of a document.
 *
 * @throws {ApiFailure} 400 for unknown fields, forms and events, and for invalid logic
 * @see docs/protocol/redcap.md 9.8 (doc), 4.7 (doc)
 */
export function clinicalDataOf(
  { project, parameters, caller }: ContentCall,
  { hasFiles }: { readonly hasFiles: boolean },
): ClinicalData {
  const { columns, surveyCells } = selectColumns(project, parameters, caller);
  const isFile = ({ field, instrument }: ExportColumn): boolean =>
    field?.type === 'file' && caller.exportRight(instrument) === 1;
  return {
    rows: hashedIds(selectRows(project, parameters, caller), project, caller),
    columns: new Set(columns.map(({ name }) => name)),
    hasGroups: parameters.flag('exportDataAccessGroups') && caller.group === '',
    surveyCells,
    files: new Set(hasFiles ? columns.filter(isFile).map(({ name }) => name) : []),
  };
}
