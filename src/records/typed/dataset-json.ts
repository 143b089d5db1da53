import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { kindOf, type ValueKind } from '../../domain/dictionary/typed-values.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import type { RowEnvelope } from '../formats/row-bytes.js';
import type { InstrumentTable } from './instrument-table.js';
import type { Misfits } from './misfits.js';
import { RowTyper } from './row-typer.js';

/** The logical types of CDISC Dataset-JSON 1.1. A code is text, and each choice of a checkbox field a column. */
const DATA_TYPES: Readonly<Record<ValueKind, DatasetColumn['dataType']>> = {
  integer: 'integer',
  number: 'double',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  datetimeSeconds: 'datetime',
  time: 'time',
  timeSeconds: 'time',
  code: 'string',
  checkbox: 'boolean',
  text: 'string',
};

/** A column of a dataset. */
export interface DatasetColumn {
  /** `IT.`, the unique name of the instrument, `.` and the name of the column. */
  readonly itemOID: string;
  readonly name: string;
  /** The label of the field as plain text. */
  readonly label: string;
  readonly dataType: 'string' | 'integer' | 'double' | 'boolean' | 'date' | 'datetime' | 'time';
  /** The place of a column in the key: record id, event, repeat instance. */
  readonly keySequence?: number;
}

type TypedCells = ReturnType<RowTyper['type']>;

/** The instrument of a dataset, and its label. */
export interface DatasetName {
  readonly instrument: string;
  readonly label: string;
}

/**
 * Writes the rows of an instrument as a dataset of CDISC Dataset-JSON 1.1. The number of rows, which only their end tells,
 * follows them: the order of the members is a recommendation of the standard. A missing data code is null, and so is a
 * value that does not fit the type of its field, which `misfits` names after the rows.
 */
export function datasetJson(
  structure: ProjectStructure,
  table: InstrumentTable,
  { instrument, label }: DatasetName,
  misfits: Misfits,
  now = new Date(),
): RowEnvelope {
  const columns = table.columns.map((name) => columnOf(structure, instrument, name));
  const readers = columns.map((column) => readerOf(structure, column));
  const typer = new RowTyper(structure, { missing: 'null' });
  const cellsOf = (row: RecordRow): unknown[] => {
    const odd = new Set<string>();
    const typed = typer.type(row, (_, name) => {
      misfits.add(row, name);
      odd.add(name);
    });
    return readers.map((read) => read(typed, odd));
  };
  const about = {
    datasetJSONCreationDateTime: now.toISOString(),
    datasetJSONVersion: '1.1.0',
    itemGroupOID: `IG.${instrument}`,
    name: instrument,
    label: withoutTags(label),
    columns: withKeys(structure, columns),
  };
  return {
    opening: `${JSON.stringify(about).slice(0, -1)},"rows":[`,
    write: (row) => JSON.stringify(cellsOf(row as RecordRow)),
    closing: (rows) =>
      `],"records":${rows}${misfits.count === 0 ? '' : `,"misfits":${JSON.stringify(misfits)}`}}`,
  };
}

function columnOf({ dictionary }: ProjectStructure, instrument: string, name: string): DatasetColumn {
  const column = dictionary.column(name);
  const { field, choice } = column ?? {};
  const isId = name === dictionary.recordIdField?.name;
  const kind: ValueKind =
    name === 'redcap_repeat_instance' ? 'integer' : column === undefined || isId ? 'text' : kindOf(field);
  const label = choice === undefined ? (field?.label ?? '') : `${field?.label ?? ''} (${choice.label})`;
  return {
    itemOID: `IT.${instrument}.${name}`,
    name,
    label: withoutTags(label) || name,
    dataType: DATA_TYPES[kind],
  };
}

/** Numbers the columns of the key. */
function withKeys({ dictionary }: ProjectStructure, columns: readonly DatasetColumn[]): DatasetColumn[] {
  const id = dictionary.recordIdField?.name ?? '';
  let key = 0;
  return columns.map((column) =>
    [id, 'redcap_event_name', 'redcap_repeat_instance'].includes(column.name)
      ? { ...column, keySequence: (key += 1) }
      : column,
  );
}

/** How a cell is read from a typed row, in which a checkbox field is one list, and a misfit is text. */
function readerOf(
  { dictionary }: ProjectStructure,
  { name, dataType }: DatasetColumn,
): (typed: TypedCells, odd: ReadonlySet<string>) => unknown {
  const { field, choice } = dictionary.column(name) ?? {};
  if (field === undefined || choice === undefined)
    return (typed, odd) => (odd.has(name) && dataType !== 'string' ? null : (typed[name] ?? null));
  return (typed, odd) => {
    const codes = typed[field.name];
    return Array.isArray(codes) && !odd.has(name) ? codes.includes(choice.code) : null;
  };
}
