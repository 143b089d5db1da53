import { CHECKED_CHOICES, FORM_STATUS_CHOICES, type Choice } from '../domain/dictionary/choices.js';
import type { ExportColumn } from '../domain/dictionary/export-column.js';
import type { Field } from '../domain/dictionary/field.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { kindOf, valueReader, type ValueKind } from '../domain/dictionary/typed-values.js';
import type { RecordRow } from '../gateways/redcap/crf-client.js';
import { isRowOf } from '../records/typed/instrument-table.js';
import type { Cell, ColumnType, DefinedTable, SqlColumn, SqlDatabase } from './sql-database.js';

/** A column of a table, and how REDCap's text becomes a cell. */
export interface TableColumn extends SqlColumn {
  /** The name of the export column; that of the table's may be shorter. */
  readonly column: string;
  /** Undefined for the status of a form. */
  readonly field: Field | undefined;
  readonly instrument: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  /** Returns undefined for a value that does not fit. */
  readonly toCell: (text: string) => Cell | undefined;
  /** The column for the missing data code; undefined if the project has none. */
  readonly missing: string | undefined;
}

/** The table of an instrument. Its key is the record, the event and the repeat instance, as far as it has them. */
export interface Table extends DefinedTable {
  readonly instrument: string;
  readonly columns: readonly TableColumn[];
}

/** One row of a table. */
export interface TableRow {
  readonly key: readonly (string | number)[];
  readonly cells: readonly Cell[];
  readonly issues: readonly { readonly field: string; readonly value: string }[];
}

/** Returns a table for each instrument, in project order. */
export function tablesOf(
  structure: ProjectStructure,
  database: Pick<SqlDatabase, 'nameOf' | 'toCell'>,
): readonly Table[] {
  const { dictionary } = structure;
  const id = dictionary.recordIdField?.name ?? '';
  const all = structure.exportColumns();
  const names = new Set(all.map(({ name }) => name));
  return dictionary.instruments.map((instrument) => ({
    name: database.nameOf(instrument),
    instrument,
    keys: [
      { name: id, type: 'TEXT' as const },
      ...(structure.isLongitudinal ? [{ name: 'redcap_event_name', type: 'TEXT' as const }] : []),
      ...(structure.repeats(instrument)
        ? [{ name: 'redcap_repeat_instance', type: 'INTEGER' as const }]
        : []),
    ],
    columns: all
      .filter((column) => column.instrument === instrument && column.name !== id)
      .map((column) => toTableColumn(structure, column, names, database)),
  }));
}

/**
 * Splits the rows of a record into those of the tables, as `crf export --instrument` does: every record has a row at each
 * of its events that has the instrument.
 */
export function tableRowsOf(
  structure: ProjectStructure,
  { instrument, keys, columns }: Table,
  rows: readonly RecordRow[],
): TableRow[] {
  const { missingDataCodes } = structure;
  return rows
    .filter((row) => isRowOf(structure, instrument, row))
    .map((row) => {
      const issues: { field: string; value: string }[] = [];
      const cells: Cell[] = [];
      for (const { column, missing, toCell } of columns) {
        const text = `${row[column] ?? ''}`;
        const isMissing = missing !== undefined && text !== '' && missingDataCodes.has(text);
        const cell = text === '' || isMissing ? null : toCell(text);
        if (cell === undefined) issues.push({ field: column, value: text });
        cells.push(cell ?? null);
        if (missing !== undefined) cells.push(isMissing ? text : null);
      }
      const key = keys.map((each) =>
        each.type === 'INTEGER' ? Number(row[each.name] || 0) : `${row[each.name] ?? ''}`,
      );
      return { key, cells, issues };
    });
}

/** Returns the columns of a table, without its key, in the order of the cells. */
export function cellColumns({ columns }: Table): readonly SqlColumn[] {
  return columns.flatMap(({ name, type, missing }): SqlColumn[] =>
    missing === undefined
      ? [{ name, type }]
      : [
          { name, type },
          { name: missing, type: 'TEXT' },
        ],
  );
}

function toTableColumn(
  { dictionary, missingDataCodes }: ProjectStructure,
  { name, field, choice, instrument }: ExportColumn,
  names: ReadonlySet<string>,
  database: Pick<SqlDatabase, 'nameOf' | 'toCell'>,
): TableColumn {
  const isCheckbox = choice !== undefined;
  let missing = `${name}__missing`;
  while (names.has(missing)) missing += '_';
  const choices =
    field === undefined ? FORM_STATUS_CHOICES : isCheckbox ? CHECKED_CHOICES : dictionary.choices(field);
  const type = TYPES[kindOf(field)];
  const read = valueReader(field);
  return {
    name: database.nameOf(name),
    column: name,
    type,
    toCell: (text) => {
      const value = read(text);
      if (value === undefined) return undefined;
      return database.toCell(typeof value === 'boolean' ? Number(value) : value, type);
    },
    instrument,
    field,
    label: choice === undefined ? (field?.label ?? 'Complete?') : `${field?.label ?? ''} (${choice.label})`,
    choices,
    missing:
      isCheckbox || field === undefined || missingDataCodes.size === 0 ? undefined : database.nameOf(missing),
  };
}

/** Dates and times are ISO 8601 text, which SQLite's own functions read. @see docs/protocol/redcap.md 4.4, 8.2 */
const TYPES: Readonly<Record<ValueKind, ColumnType>> = {
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'TIMESTAMP',
  datetimeSeconds: 'TIMESTAMP',
  time: 'TIME',
  timeSeconds: 'TIME',
  code: 'TEXT',
  checkbox: 'BOOLEAN',
  text: 'TEXT',
};
