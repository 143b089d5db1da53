import type { ExportColumn } from '../../../dictionary/export-column.js';
import type { SandboxProject } from '../project.js';
import { selectColumns, type ExportSelection } from '../records/export-selection.js';
import { cellOf, standsOn, styleOf, type ValueStyle } from '../records/export-values.js';
import { structuralCell } from '../records/structural-cells.js';
import { selectRows, type SelectedRow } from '../records/select-rows.js';
import type { Answer, Format, Row } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';
import { toEav } from './export-eav.js';

/** `content=record`, export. @see protocol reference 4 (wire, client) */
export function exportRecords(project: SandboxProject, parameters: Parameters, format: Format): Answer {
  const selection = selectColumns(project, parameters);
  const style = styleOf(parameters);
  const selected = selectRows(project, parameters);
  const delimiter = delimiterOf(parameters.text('csvDelimiter'));
  const list = { kind: 'rows', root: 'records', hasTrailingLineFeed: true, delimiter } as const;

  if (parameters.text('type') === 'eav') return { ...list, ...toEav(project, selection, selected, style) };
  const columns = outputColumns(selection, parameters);
  const rows = selected
    // Without the id, a row on which none of the columns has a place would be blank: it is left out (inferred).
    .filter(
      ({ row }) =>
        selection.hasId || selection.columns.some(({ instrument }) => standsOn(project, instrument, row)),
    )
    .map((row) => flatRow(project, selection, columns, row, style));
  return {
    ...list,
    rows,
    columns: [...idColumns(project, selection), ...columns.map(({ name }) => name)],
    ...(format === 'csv' &&
      parameters.text('rawOrLabelHeaders') === 'label' && {
        headings: headingsOf(project, selection, columns),
      }),
  };
}

/** With `combineCheckboxOptions` a checkbox field has one column, which holds the checked codes. */
interface OutputColumn {
  readonly name: string;
  readonly parts: readonly ExportColumn[];
}

function outputColumns({ columns }: ExportSelection, parameters: Parameters): OutputColumn[] {
  if (!parameters.flag('combineCheckboxOptions'))
    return columns.map((column) => ({ name: column.name, parts: [column] }));
  const combined = new Map<string, ExportColumn[]>();
  for (const column of columns) {
    const name = column.choice === undefined ? column.name : (column.field?.name ?? column.name);
    combined.set(name, [...(combined.get(name) ?? []), column]);
  }
  return [...combined].map(([name, parts]) => ({ name, parts }));
}

function idColumns(project: SandboxProject, { hasId, structure }: ExportSelection): string[] {
  return hasId ? [project.idField, ...structure] : [];
}

function flatRow(
  project: SandboxProject,
  { hasId, structure }: ExportSelection,
  columns: readonly OutputColumn[],
  { record, row }: SelectedRow,
  style: ValueStyle,
): Row {
  const cells: Record<string, string | number> = Object.create(null) as Record<string, string | number>;
  if (hasId) cells[project.idField] = record.id;
  for (const name of structure) cells[name] = structuralCell(project, name, row, style);
  for (const { name, parts } of columns) {
    const [only] = parts;
    cells[name] =
      parts.length === 1 && only !== undefined && only.name === name
        ? cellOf(project, only, row, style)
        : combinedCell(project, parts, row, style);
  }
  return cells;
}

/** The checked choices, joined by a comma (choice). */
function combinedCell(
  project: SandboxProject,
  parts: readonly ExportColumn[],
  row: SelectedRow['row'],
  style: ValueStyle,
): string {
  return parts
    .filter((column) => cellOf(project, column, row, { ...style, isLabel: false }) === '1')
    .map(({ choice }) => (style.isLabel ? choice?.label : choice?.code) ?? '')
    .join(',');
}

const STRUCTURE_LABELS: Readonly<Record<string, string>> = {
  redcap_event_name: 'Event Name',
  redcap_repeat_instrument: 'Repeat Instrument',
  redcap_repeat_instance: 'Repeat Instance',
  redcap_survey_identifier: 'Survey Identifier',
};

/** Every form status is headed `Complete?`: headings repeat. (client) */
function headingsOf(
  project: SandboxProject,
  selection: ExportSelection,
  columns: readonly OutputColumn[],
): string[] {
  const idLabel = project.dictionary.field(project.idField)?.label ?? project.idField;
  const first = selection.hasId
    ? [idLabel, ...selection.structure.map((name) => STRUCTURE_LABELS[name] ?? name)]
    : [];
  return [...first, ...columns.map(({ parts: [column] }) => (column === undefined ? '' : headingOf(column)))];
}

function headingOf({ field, choice }: ExportColumn): string {
  if (field === undefined) return 'Complete?';
  return choice === undefined ? field.label : `${field.label} (choice=${choice.label})`;
}

function delimiterOf(text: string): string {
  return text === 'tab' ? '\t' : [';', '|', '^', '\t'].includes(text) ? text : ',';
}
