import type { ExportColumn } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import type { ExportSelection } from '../records/export-selection.js';
import { cellOf, standsOn, type ValueStyle } from '../records/export-values.js';
import type { SelectedRow } from '../records/select-rows.js';
import type { Row } from '../wire/answer.js';
import { structuralCell } from '../records/structural-cells.js';

/**
 * A line a value: `record`, the structural columns, `field_name`, `value`. One line a checked choice, none for blanks.
 *
 * @see protocol reference 4.5 (client)
 */
export function toEav(
  project: SandboxProject,
  selection: ExportSelection,
  selected: readonly SelectedRow[],
  style: ValueStyle,
): { rows: Row[]; columns: string[] } {
  const structure = [
    ...(project.isLongitudinal ? ['redcap_event_name'] : []),
    ...(project.hasRepeats ? ['redcap_repeat_instrument', 'redcap_repeat_instance'] : []),
  ];
  const columns = inEavOrder(selection);
  const rows = selected.flatMap(({ record, row }) => {
    const place = Object.fromEntries(
      structure.map((name) => [name, structuralCell(project, name, row, style)]),
    );
    const line = (field: string, value: string): Row => ({
      record: record.id,
      ...place,
      field_name: field,
      value,
    });
    const idLine = selection.hasId && row.instance === 0 ? [line(project.idField, record.id)] : [];
    return [...idLine, ...columns.flatMap((column) => linesOf(project, column, row, style, line))];
  });
  return { rows, columns: ['record', ...structure, 'field_name', 'value'] };
}

function linesOf(
  project: SandboxProject,
  column: ExportColumn,
  row: SelectedRow['row'],
  style: ValueStyle,
  line: (field: string, value: string) => Row,
): Row[] {
  if (!standsOn(project, column.instrument, row)) return [];
  const { field, choice, name } = column;
  if (choice !== undefined) {
    if (row.values.get(name) !== '1') return [];
    return [line(field?.name ?? name, style.isLabel ? choice.label : choice.code)];
  }
  const value = cellOf(project, column, row, style);
  return value === '' ? [] : [line(name, value)];
}

/** The order of the request where fields are given, else the dictionary's with calculated fields last (choice). */
function inEavOrder({ columns, requested }: ExportSelection): ExportColumn[] {
  const position = (column: ExportColumn): number =>
    requested === undefined
      ? Number(column.field?.type === 'calc')
      : requested.indexOf(column.field?.name ?? column.name);
  return [...columns].sort((left, right) => position(left) - position(right));
}
