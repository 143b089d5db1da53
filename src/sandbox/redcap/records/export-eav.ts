import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import type { ExportSelection } from './export-selection.js';
import { compileColumn, isOnRow, type ValueStyle } from './export-values.js';
import { documentPlaceOf, type SelectedRow } from './select-rows.js';
import type { StoredRow } from './record-store.js';
import { structuralCell } from './structural-cells.js';
import type { Cell } from '../wire/answer.js';

/** Reads the value of one export column on a row, with its `field_name`. Blank values are not exported. */
interface EavColumn {
  readonly instrument: string;
  readonly fieldName: string;
  readonly read: (selected: SelectedRow) => string;
}

/**
 * Writes one row per value: `record`, the structural columns, `field_name`, `value`. A checkbox has one row per checked
 * choice. Blank values have no row.
 *
 * @see docs/protocol/redcap.md 4.5 (client)
 */
export function toEav(
  project: SandboxProject,
  selection: ExportSelection,
  selected: readonly SelectedRow[],
  style: ValueStyle,
): { columns: string[]; rows: Cell[][] } {
  const structure = [
    ...(project.isLongitudinal ? ['redcap_event_name'] : []),
    ...(project.hasRepeats ? ['redcap_repeat_instrument', 'redcap_repeat_instance'] : []),
  ];
  const columns = inEavOrder(selection).map((column) => eavColumn(project, column, style));
  const idLines = new Set<string>();
  const rows: Cell[][] = [];
  for (const entry of selected) {
    const { record, row } = entry;
    const place = structure.map((name) => structuralCell(project, name, row, style));
    // The record ID has its own row for each record and event, without a repeat instance. (client)
    const idKey = `${record.id}\n${row.event}`;
    if (selection.hasId && needsIdLine(selection, row) && !idLines.has(idKey)) {
      idLines.add(idKey);
      const base = { event: row.event, instrument: '', instance: 0 };
      const basePlace = structure.map((name) => structuralCell(project, name, base, style));
      rows.push([record.id, ...basePlace, project.idField, record.id]);
    }
    for (const { instrument, fieldName, read } of columns) {
      const value = isOnRow(project, instrument, row) ? read(entry) : '';
      if (value !== '') rows.push([record.id, ...place, fieldName, value]);
    }
  }
  return { columns: ['record', ...structure, 'field_name', 'value'], rows };
}

/**
 * Whether a row needs a row for its ID. In a whole export, the values of a repeating row already name its record and
 * event. A row for the ID would suggest that there is a base row too, and an import would create one. (inferred)
 */
function needsIdLine({ isWhole }: ExportSelection, { instance, values }: StoredRow): boolean {
  return !isWhole || instance === 0 || values.size === 0;
}

function eavColumn(project: SandboxProject, column: ExportColumn, style: ValueStyle): EavColumn {
  const { name, instrument, field, choice } = column;
  if (choice !== undefined) {
    const text = style.isLabel ? choice.label : choice.code;
    return {
      instrument,
      fieldName: field?.name ?? name,
      read: ({ row }) => (row.values.get(name) === '1' ? text : ''),
    };
  }
  if (field?.type === 'file') return { instrument, fieldName: name, read: documentReader(project, name) };
  // A form that was never saved has no line, whatever `exportBlankForGrayFormStatus`. @see docs/protocol/redcap.md 20
  // (client)
  const read = compileColumn(project, column, { ...style, isGrayBlank: true });
  return { instrument, fieldName: name, read: ({ row }) => read(row) };
}

/** Returns a reader for a file field: its value is the document's ID instead of the file name. (client) */
function documentReader(project: SandboxProject, name: string): EavColumn['read'] {
  return (selected) =>
    selected.row.values.has(name) ? String(project.documents.idAt(documentPlaceOf(selected, name))) : '';
}

/** Uses the order of the requested fields; otherwise dictionary order, with calculated fields last (choice). */
function inEavOrder({ columns, requested }: ExportSelection): ExportColumn[] {
  const positions = new Map(requested?.map((name, index) => [name, index]));
  const position = ({ name, field }: ExportColumn): number =>
    requested === undefined
      ? Number(field?.type === 'calc')
      : (positions.get(field?.name ?? name) ?? requested.length);
  return [...columns].sort((left, right) => position(left) - position(right));
}
