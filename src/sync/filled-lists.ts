import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { ProjectLists } from './change-store.js';
import type { Cell, ColumnType, DefinedTable } from './sql-database.js';
import type { Table } from './tables.js';

/** A table with all of its rows. */
export interface FilledTable extends DefinedTable {
  readonly rows: readonly (readonly Cell[])[];
}

/** Returns what a copy has besides rows of records: what the names and codes mean, and their order. */
export function filledLists(
  { events, missingDataCodes }: ProjectStructure,
  { arms, instruments, groups }: ProjectLists,
  tables: readonly Table[],
): readonly FilledTable[] {
  const columns = tables.flatMap((table) => table.columns);
  const choices = columns.flatMap(({ name, choices }) =>
    choices.map(({ code, label }) => [name, code, label]),
  );
  const missing = [...missingDataCodes].map((code) => ['_missing', code, code]);
  // Of a code that is there twice, the last counts.
  const unique = new Map([...choices, ...missing].map((row) => [JSON.stringify(row.slice(0, 2)), row]));
  return [
    filled(
      '_codebook',
      ['column_name'],
      ['field', 'instrument', 'type', 'label', 'section', 'branching', 'validation', 'minimum', 'maximum'],
      columns.map(({ name, field, instrument, type, label }) => [
        name,
        field?.name ?? name,
        instrument,
        type,
        label,
        field?.sectionHeader || null,
        field?.branchingLogic || null,
        field?.validationType || null,
        field?.validationMin || null,
        field?.validationMax || null,
      ]),
    ),
    filled('_choices', ['field', 'code'], ['label'], [...unique.values()]),
    filled(
      '_arms',
      ['arm_number'],
      ['label'],
      arms.map(({ number, name }) => [number, name]),
    ),
    filled(
      '_events',
      ['redcap_event_name'],
      ['label', 'arm_number'],
      events.map(({ uniqueName, label, armNumber }) => [uniqueName, label, armNumber]),
    ),
    filled(
      '_instruments',
      ['instrument'],
      ['label'],
      instruments.map(({ name, label }) => [name, label]),
    ),
    filled(
      '_groups',
      ['data_access_group'],
      ['label'],
      (groups ?? []).map(({ uniqueName, name }) => [uniqueName, name]),
    ),
  ];
}

/** The position of each row, from 1, is its last column. */
function filled(
  name: string,
  keys: readonly string[],
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): FilledTable {
  const toColumn = (column: string): { readonly name: string; readonly type: ColumnType } => ({
    name: column,
    type: column === 'arm_number' || column === 'position' ? 'INTEGER' : 'TEXT',
  });
  return {
    name,
    keys: keys.map(toColumn),
    columns: [...columns, 'position'].map(toColumn),
    rows: rows.map((row, at) => [...row, at + 1]),
  };
}
