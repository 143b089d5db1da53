import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import { headingOf, STRUCTURE_HEADINGS, TIMESTAMP_HEADING } from '../../../domain/dictionary/labels.js';
import type { ValueStyle } from '../../../domain/dictionary/written-values.js';
import type { SandboxProject } from '../project.js';
import { documentPlaceOf, type ExportSelection, type SelectedRow } from './export-selection.js';
import { type CellReader, compileColumn, isOnRow, structuralCell } from './export-values.js';
import type { StoredRow } from './record-store.js';
import type { Cell } from '../../../wire/answer.js';

/** One column of a flat export, compiled once for all rows. */
interface FlatColumn {
  readonly name: string;
  readonly heading: string;
  readonly instrument: string;
  readonly read: CellReader;
}

/**
 * Writes one row per place that holds data, with all columns in each.
 *
 * @param style.isCombined whether a checkbox field has a single column with all checked choices
 * @see docs/protocol/redcap.md 4.2, 4.3, 4.4 (wire, client)
 */
export function toFlat(
  project: SandboxProject,
  selection: ExportSelection,
  selected: readonly SelectedRow[],
  style: ValueStyle & { readonly isCombined: boolean },
): { columns: string[]; headings: string[]; rows: (string | number)[][] } {
  const columns = withTimestamps(selection, fieldColumns(project, selection, style));
  const first = selection.hasId ? [project.idField, ...selection.structure] : [];
  const labelOf = (name: string): string => project.dictionary.field(name)?.label ?? name;
  return {
    columns: [...first, ...columns.map(({ name }) => name)],
    headings: [
      ...first.map((name) => STRUCTURE_HEADINGS.get(name) ?? labelOf(name)),
      ...columns.map(({ heading }) => heading),
    ],
    rows: exportedRows(project, selection, columns, selected).map(({ record, row }) => {
      const { group, surveyIdentifier } = record;
      const place = { ...row, group, surveyIdentifier };
      return [
        ...(selection.hasId ? [record.id] : []),
        ...selection.structure.map((name) => structuralCell(project, name, place, style)),
        ...cellsOf(project, columns, row),
      ];
    }),
  };
}

/**
 * Selects the rows to export. A whole export includes every row. Otherwise, the instances of an instrument without any
 * of the columns are left out, even if the ID is exported. Other rows without any of the columns stay if the ID is
 * exported; without it, only the base rows of longitudinal projects do. With the ID, every record has a row, even if it
 * is blank.
 *
 * @see docs/protocol/redcap.md 20 (wire, client)
 */
function exportedRows(
  project: SandboxProject,
  { isWhole, hasId }: ExportSelection,
  columns: readonly FlatColumn[],
  selected: readonly SelectedRow[],
): readonly SelectedRow[] {
  const isExported = (row: StoredRow): boolean =>
    isWhole ||
    columns.some(({ instrument }) => isOnRow(project, instrument, row)) ||
    (row.instrument === '' && (hasId || (project.isLongitudinal && row.instance === 0)));
  const exported = new Set(selected.filter(({ row }) => isExported(row)));
  if (!hasId) return [...exported];
  const present = new Set([...exported].map(({ record }) => record));
  return selected.flatMap((candidate) => {
    const { record, row } = candidate;
    if (exported.has(candidate)) return [candidate];
    if (present.has(record)) return [];
    present.add(record);
    return [{ record, row: { event: row.event, instrument: '', instance: 0, values: new Map() } }];
  });
}

/** Reads the cells of a row. The columns of one instrument are consecutive, so its place is looked up once. */
function cellsOf(project: SandboxProject, columns: readonly FlatColumn[], row: StoredRow): string[] {
  let instrument: string | undefined;
  let hasPlace = false;
  return columns.map((column) => {
    if (column.instrument !== instrument) {
      instrument = column.instrument;
      hasPlace = isOnRow(project, instrument, row);
    }
    return hasPlace ? column.read(row) : '';
  });
}

/**
 * Adds survey timestamps, each before the first column of its instrument.
 *
 * @see docs/protocol/redcap.md 4.2, item 5 (wire)
 */
function withTimestamps({ surveyCells }: ExportSelection, columns: readonly FlatColumn[]): FlatColumn[] {
  const stamped = new Set<string>();
  return columns.flatMap((column) => {
    const { instrument } = column;
    const name = `${instrument}_timestamp`;
    if (!surveyCells.has(name) || stamped.has(name)) return [column];
    stamped.add(name);
    return [
      { name, instrument, heading: TIMESTAMP_HEADING, read: ({ values }) => values.get(name) ?? '' },
      column,
    ];
  });
}

/** Returns the columns of fields. In a single column, the checked choices are joined with commas (choice). */
function fieldColumns(
  project: SandboxProject,
  { columns }: ExportSelection,
  style: ValueStyle & { readonly isCombined: boolean },
): FlatColumn[] {
  const seen = new Set<string>();
  return columns.flatMap((column) => {
    const { name, field, choice, instrument } = column;
    if (!style.isCombined || field === undefined || choice === undefined)
      return [{ name, instrument, heading: headingOf(column), read: compileColumn(project, column, style) }];
    if (seen.has(field.name)) return [];
    seen.add(field.name);
    const parts = columns.filter((other) => other.field === field);
    const read: CellReader = ({ values }) =>
      parts
        .filter((part) => values.get(part.name) === '1')
        .map((part) => part.choice?.[style.isLabel ? 'label' : 'code'])
        .join(',');
    return [{ name: field.name, heading: field.label, instrument, read }];
  });
}

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
    // The record ID has its own row for each record and event, without a repeat instance. (client) In a whole export,
    // the values of a repeating row already name both. A row for the ID would suggest that there is a base row too, and
    // an import would create one. (inferred)
    const idKey = `${record.id}\n${row.event}`;
    const needsIdLine = !selection.isWhole || row.instance === 0 || row.values.size === 0;
    if (selection.hasId && needsIdLine && !idLines.has(idKey)) {
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

function eavColumn(project: SandboxProject, column: ExportColumn, style: ValueStyle): EavColumn {
  const { name, instrument, field, choice } = column;
  const fieldName = field?.name ?? name;
  if (choice !== undefined) {
    const text = style.isLabel ? choice.label : choice.code;
    return { instrument, fieldName, read: ({ row }) => (row.values.get(name) === '1' ? text : '') };
  }
  // The value of a file field is the document's ID instead of the file name. (client)
  const documentOf = (selected: SelectedRow): string =>
    selected.row.values.has(name) ? String(project.documents.idAt(documentPlaceOf(selected, name))) : '';
  if (field?.type === 'file') return { instrument, fieldName, read: documentOf };
  // A form that was never saved has no line, whatever `exportBlankForGrayFormStatus`. @see docs/protocol/redcap.md 20
  // (client)
  const read = compileColumn(project, column, { ...style, isGrayBlank: true });
  return { instrument, fieldName, read: ({ row }) => read(row) };
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
