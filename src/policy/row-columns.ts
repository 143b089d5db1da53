import type { Choice } from '../domain/dictionary/choices.js';
import type { ExportColumn } from '../domain/dictionary/export-column.js';
import { headingOf, STRUCTURE_HEADINGS, TIMESTAMP_HEADING } from '../domain/dictionary/labels.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import { valueWriter, writtenEvent } from '../domain/dictionary/written-values.js';
import type { RecordSelection } from '../gateways/redcap/crf-client.js';
import { cellOf, type RecordRow } from '../gateways/redcap/record-row.js';
import { textOf } from '../records/rules/record-view.js';
import { EVENT, GROUP, REPEAT_INSTANCE, REPEAT_INSTRUMENT, RowPlaces } from './view-rows.js';
import { nameOf, type VisibleSelection } from './visible-selection.js';

const SURVEY_IDENTIFIER = 'redcap_survey_identifier';

export type Cell = string | number;

/** The labels of a project that are not in its data dictionary. */
export interface ProjectLabels {
  readonly arms: ReadonlyMap<number, string>;
  readonly instruments: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
  readonly missingDataCodes: readonly Choice[];
}

export const NO_LABELS: ProjectLabels = {
  arms: new Map(),
  instruments: new Map(),
  groups: new Map(),
  missingDataCodes: [],
};

/** A column of an export, with how its cells are written. */
export interface WrittenColumn {
  readonly name: string;
  readonly heading: string;
  /** The form of a field or a form status; undefined for a column about the row. */
  readonly instrument: string | undefined;
  readonly read: (row: RecordRow, isOn: boolean) => Cell;
}

/** The columns of a view, and how REDCap writes their cells, as values or as labels. */
export class RowColumns {
  readonly idName: string;
  readonly #columns: ReadonlyMap<string, ExportColumn>;
  readonly #isLabel: boolean;
  readonly places: RowPlaces;

  constructor(
    readonly shown: ProjectStructure,
    readonly selection: VisibleSelection,
    readonly options: RecordSelection,
    private readonly labels: ProjectLabels = NO_LABELS,
  ) {
    const { dictionary } = shown;
    this.places = new RowPlaces(shown);
    this.idName = dictionary.recordIdField?.name ?? '';
    this.#isLabel = options.rawOrLabel === 'label';
    const asked = new Set(selection.names);
    const missing = [...shown.missingDataCodes].map(
      (code) => labels.missingDataCodes.find((each) => each.code === code) ?? { code, label: code },
    );
    const columns = dictionary.exportColumns(missing).filter((each) => asked.has(nameOf(each)));
    this.#columns = new Map(columns.map((column) => [column.name, column]));
  }

  /** The columns that were asked for, without that of the id. */
  get asked(): readonly ExportColumn[] {
    return [...this.#columns.values()].filter(({ name }) => name !== this.idName);
  }

  /** Whether an export of what was asked for can have a column of a name. */
  isKnown(name: string): boolean {
    if (this.options.type === 'eav') return ['record', ...this.place, 'field_name', 'value'].includes(name);
    return (
      this.of(name) !== undefined ||
      this.asked.some(({ field, choice }) => choice !== undefined && field?.name === name)
    );
  }

  /** Returns how a column of REDCap's answer is written; undefined if it is none that was asked for. */
  of(name: string): WrittenColumn | undefined {
    const column = this.#columns.get(name);
    if (name === this.idName || this.#isOfRow(name)) {
      if (!this.selection.hasId) return undefined;
      const heading = STRUCTURE_HEADINGS.get(name) ?? column?.field?.label ?? name;
      return { name, heading, instrument: undefined, read: (row) => this.#placeCell(row, name) };
    }
    if (column !== undefined) {
      const { instrument } = column;
      return { name, instrument, heading: headingOf(column), read: this.#reader(column) };
    }
    const stamped = this.asked.find(({ instrument }) => `${instrument}_timestamp` === name);
    return (
      stamped && {
        name,
        instrument: stamped.instrument,
        heading: TIMESTAMP_HEADING,
        read: (row) => textOf(row, name),
      }
    );
  }

  #isOfRow(name: string): boolean {
    if (name === EVENT) return this.shown.isLongitudinal;
    if (name === GROUP) return this.options.exportDataAccessGroups === true;
    if (name === SURVEY_IDENTIFIER) return this.options.exportSurveyFields === true;
    return (name === REPEAT_INSTRUMENT || name === REPEAT_INSTANCE) && this.shown.hasRepeats;
  }

  /** Returns the cells that say which row a value is of. */
  placeOf(row: RecordRow): Cell[] {
    return this.place.map((name) => this.#placeCell(row, name));
  }

  get place(): readonly string[] {
    return [EVENT, REPEAT_INSTRUMENT, REPEAT_INSTANCE].filter((name) => this.#isOfRow(name));
  }

  #placeCell(row: RecordRow, name: string): Cell {
    // A view has nobody's identifiers, but the column that REDCap has.
    const value = name === SURVEY_IDENTIFIER ? '' : (cellOf(row, name) ?? '');
    if (!this.#isLabel || name === this.idName) return value;
    const { instruments, groups } = this.labels;
    if (name === EVENT)
      return writtenEvent(`${value}`, this.shown.events, (arm) => this.labels.arms.get(arm));
    if (name === REPEAT_INSTRUMENT) return instruments.get(`${value}`) ?? '';
    return name === GROUP ? (groups.get(`${value}`) ?? '') : value;
  }

  #reader(column: ExportColumn): WrittenColumn['read'] {
    const { name, field, choice } = column;
    const { decimalCharacter = '', exportCheckboxLabel, exportBlankForGrayFormStatus } = this.options;
    const choices =
      field === undefined ? [] : [...this.shown.dictionary.choices(field), ...this.labels.missingDataCodes];
    const write = valueWriter(column, choices, {
      isLabel: this.#isLabel,
      hasCheckboxLabels: exportCheckboxLabel === true,
      isGrayBlank: exportBlankForGrayFormStatus === true,
      decimalCharacter,
    });
    const cell = cellReader(name);
    if (choice !== undefined || field === undefined)
      return (row, isOn) => {
        const value = `${cell(row)}`;
        const isStored = choice === undefined ? value !== '' : value === '1';
        return isStored || isOn ? write(value) : '';
      };
    const isAsStored = decimalCharacter === '' && (!this.#isLabel || choices.length === 0);
    return isAsStored ? cell : (row) => write(`${cell(row)}`);
  }
}

/** Reads a column of many rows: only a few names are those of properties that every object inherits. */
function cellReader(name: string): (row: RecordRow) => Cell {
  return name in Object.prototype ? (row) => cellOf(row, name) ?? '' : (row) => row[name] ?? '';
}
