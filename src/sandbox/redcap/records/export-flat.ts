import type { ExportColumn } from '../../../domain/dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import type { ExportSelection } from './export-selection.js';
import { compileColumn, isOnRow, type CellReader, type ValueStyle } from './export-values.js';
import type { SelectedRow } from './select-rows.js';
import type { StoredRecord, StoredRow } from './record-store.js';
import { structuralCell } from './structural-cells.js';
import type { Cell } from '../wire/answer.js';

/** How the values of a flat export are written. */
interface FlatStyle extends ValueStyle {
  /** Whether a checkbox field has a single column with all checked choices. */
  readonly isCombined: boolean;
}

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
 * @see docs/protocol/redcap.md 4.2, 4.3, 4.4 (wire, client)
 */
export function toFlat(
  project: SandboxProject,
  selection: ExportSelection,
  selected: readonly SelectedRow[],
  style: FlatStyle,
): { columns: string[]; headings: string[]; rows: Cell[][] } {
  const columns = flatColumns(project, selection, style);
  const first = selection.hasId ? [project.idField, ...selection.structure] : [];
  return {
    columns: [...first, ...columns.map(({ name }) => name)],
    headings: [
      ...first.map((name) => headingOfStructure(project, name)),
      ...columns.map(({ heading }) => heading),
    ],
    rows: exportedRows(project, selection, columns, selected).map(({ record, row }) => [
      ...(selection.hasId ? [record.id] : []),
      ...selection.structure.map((name) =>
        structuralCell(project, name, { ...row, ...ofRecord(record) }, style),
      ),
      ...cellsOf(project, columns, row),
    ]),
  };
}

/** Selects the rows to export. If the ID is exported, every record has a row, even if it is blank. */
function exportedRows(
  project: SandboxProject,
  selection: ExportSelection,
  columns: readonly FlatColumn[],
  selected: readonly SelectedRow[],
): readonly SelectedRow[] {
  const exported = new Set(selected.filter(({ row }) => isExported(project, selection, columns, row)));
  if (!selection.hasId) return [...exported];
  const present = new Set([...exported].map(({ record }) => record));
  return selected.flatMap((candidate) => {
    const { record, row } = candidate;
    if (exported.has(candidate)) return [candidate];
    if (present.has(record)) return [];
    present.add(record);
    return [{ record, row: { event: row.event, instrument: '', instance: 0, values: new Map() } }];
  });
}

/**
 * Whether a row is included in an export of some fields. A whole export includes every row. Otherwise, the instances of
 * an instrument without any of the columns are left out, even if the ID is exported. Other rows without any of the
 * columns stay if the ID is exported; without it, only the base rows of longitudinal projects do.
 *
 * @see docs/protocol/redcap.md 20 (wire, client)
 */
function isExported(
  project: SandboxProject,
  selection: ExportSelection,
  columns: readonly FlatColumn[],
  row: StoredRow,
): boolean {
  if (selection.isWhole) return true;
  if (columns.some(({ instrument }) => isOnRow(project, instrument, row))) return true;
  if (row.instrument !== '') return false;
  return selection.hasId || (project.isLongitudinal && row.instance === 0);
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

function ofRecord({ group, surveyIdentifier }: StoredRecord): { group: string; surveyIdentifier: string } {
  return { group, surveyIdentifier };
}

/**
 * Adds survey timestamps, each before the first column of its instrument.
 *
 * @see docs/protocol/redcap.md 4.2, item 5 (wire)
 */
function flatColumns(project: SandboxProject, selection: ExportSelection, style: FlatStyle): FlatColumn[] {
  const stamped = new Set<string>();
  return fieldColumns(project, selection, style).flatMap((column) => {
    const name = `${column.instrument}_timestamp`;
    if (!selection.surveyCells.has(name) || stamped.has(name)) return [column];
    stamped.add(name);
    const { instrument } = column;
    return [
      { name, instrument, heading: 'Survey Timestamp', read: ({ values }) => values.get(name) ?? '' },
      column,
    ];
  });
}

function fieldColumns(project: SandboxProject, { columns }: ExportSelection, style: FlatStyle): FlatColumn[] {
  if (!style.isCombined) return columns.map((column) => singleColumn(project, column, style));
  const seen = new Set<string>();
  return columns.flatMap((column) => {
    const { field, choice } = column;
    if (field === undefined || choice === undefined) return [singleColumn(project, column, style)];
    if (seen.has(field.name)) return [];
    seen.add(field.name);
    return [
      combinedColumn(
        columns.filter((other) => other.field === field),
        style,
      ),
    ];
  });
}

function singleColumn(project: SandboxProject, column: ExportColumn, style: FlatStyle): FlatColumn {
  const { name, instrument } = column;
  return { name, instrument, heading: headingOf(column), read: compileColumn(project, column, style) };
}

/** Joins the checked choices of a checkbox field with commas (choice). */
function combinedColumn(parts: readonly ExportColumn[], { isLabel }: FlatStyle): FlatColumn {
  const [column] = parts;
  const choices = parts.map(({ name, choice }) => ({
    name,
    text: (isLabel ? choice?.label : choice?.code) ?? '',
  }));
  return {
    name: column?.field?.name ?? '',
    heading: column?.field?.label ?? '',
    instrument: column?.instrument ?? '',
    read: ({ values }) =>
      choices
        .filter(({ name }) => values.get(name) === '1')
        .map(({ text }) => text)
        .join(','),
  };
}

/** @see docs/protocol/redcap.md 4.4 (client; the survey identifier inferred) */
const STRUCTURE_HEADINGS: ReadonlyMap<string, string> = new Map([
  ['redcap_event_name', 'Event Name'],
  ['redcap_repeat_instrument', 'Repeat Instrument'],
  ['redcap_repeat_instance', 'Repeat Instance'],
  ['redcap_data_access_group', 'Data Access Group'],
  ['redcap_survey_identifier', 'Survey Identifier'],
]);

function headingOfStructure(project: SandboxProject, name: string): string {
  return STRUCTURE_HEADINGS.get(name) ?? project.dictionary.field(name)?.label ?? name;
}

/** Returns the heading of a column. That of every form status is `Complete?`, so headings are not unique. (client) */
function headingOf({ field, choice }: ExportColumn): string {
  if (field === undefined) return 'Complete?';
  return choice === undefined ? field.label : `${field.label} (choice=${choice.label})`;
}
