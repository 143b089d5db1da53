import type { ExportColumn } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import type { ExportSelection } from './export-selection.js';
import { compileColumn, standsOn, type ValueStyle } from './export-values.js';
import type { SelectedRow } from './select-rows.js';
import type { StoredRow } from './stored-record.js';
import { structuralCell } from './structural-cells.js';
import type { Cell } from '../wire/answer.js';

/** Reads what one column gives on a row: `field_name` and `value`, or nothing. */
interface EavColumn {
  readonly instrument: string;
  readonly fieldName: string;
  readonly read: (selected: SelectedRow) => string;
}

/**
 * A line a value: `record`, the structural columns, `field_name`, `value`. One line a checked choice, none for blanks.
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
  for (const { record, row } of selected) {
    const place = structure.map((name) => structuralCell(project, name, row, style));
    // The id has a line of its own for each record and event, on a base row. (client)
    const idKey = `${record.id}\n${row.event}`;
    if (selection.hasId && needsIdLine(selection, row) && !idLines.has(idKey)) {
      idLines.add(idKey);
      const base = { event: row.event, instrument: '', instance: 0 };
      const basePlace = structure.map((name) => structuralCell(project, name, base, style));
      rows.push([record.id, ...basePlace, project.idField, record.id]);
    }
    for (const { instrument, fieldName, read } of columns) {
      const value = standsOn(project, instrument, row) ? read({ record, row }) : '';
      if (value !== '') rows.push([record.id, ...place, fieldName, value]);
    }
  }
  return { columns: ['record', ...structure, 'field_name', 'value'], rows };
}

/**
 * In a whole export the values of a repeating row name its record and event. With a line of its own the id would say that
 * there is a base row as well, and an import would make one. (inferred)
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
  const read = compileColumn(project, column, style);
  return { instrument, fieldName: name, read: ({ row }) => read(row) };
}

/** A file is its document's number here, not its name. (client) */
function documentReader(project: SandboxProject, name: string): EavColumn['read'] {
  return ({ record, row }) =>
    row.values.has(name)
      ? String(
          project.documents.idAt({
            record: record.id,
            event: row.event,
            instrument: row.instrument,
            instance: row.instance,
            field: name,
          }),
        )
      : '';
}

/** The order of the request where fields are given, else the dictionary's with calculated fields last (choice). */
function inEavOrder({ columns, requested }: ExportSelection): ExportColumn[] {
  const positions = new Map(requested?.map((name, index) => [name, index]));
  const position = ({ name, field }: ExportColumn): number =>
    requested === undefined
      ? Number(field?.type === 'calc')
      : (positions.get(field?.name ?? name) ?? requested.length);
  return [...columns].sort((left, right) => position(left) - position(right));
}
