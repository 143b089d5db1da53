import { FORM_STATUS_CHOICES, type Choice } from '../domain/dictionary/choices.js';
import type { ExportColumn } from '../domain/dictionary/export-column.js';
import { headingOf } from '../domain/dictionary/labels.js';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { RecordSelection } from '../gateways/redcap/crf-client.js';
import { cellOf, type RecordRow } from '../gateways/redcap/record-row.js';
import { textOf } from '../records/rules/record-view.js';
import { EVENT, GROUP, REPEAT_INSTANCE, REPEAT_INSTRUMENT, RowPlaces } from './view-rows.js';
import { nameOf, type VisibleSelection } from './visible-selection.js';

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

/** @see docs/protocol/redcap.md 4.4 (client; the survey identifier inferred) */
const HEADINGS: ReadonlyMap<string, string> = new Map([
  [EVENT, 'Event Name'],
  [REPEAT_INSTRUMENT, 'Repeat Instrument'],
  [REPEAT_INSTANCE, 'Repeat Instance'],
  [GROUP, 'Data Access Group'],
]);

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
      const heading = HEADINGS.get(name) ?? column?.field?.label ?? name;
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
        heading: 'Survey Timestamp',
        read: (row) => textOf(row, name),
      }
    );
  }

  #isOfRow(name: string): boolean {
    if (name === EVENT) return this.shown.isLongitudinal;
    if (name === GROUP) return this.options.exportDataAccessGroups === true;
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
    const value = cellOf(row, name) ?? '';
    if (!this.#isLabel || name === this.idName) return value;
    const { instruments, groups } = this.labels;
    if (name === EVENT) return this.#eventLabel(`${value}`);
    if (name === REPEAT_INSTRUMENT) return instruments.get(`${value}`) ?? '';
    return name === GROUP ? (groups.get(`${value}`) ?? '') : value;
  }

  /** @see docs/protocol/redcap.md 4.4, 20 (client): with the arm, if at least two have events */
  #eventLabel(uniqueName: string): string {
    const { events } = this.shown;
    const event = events.find((each) => each.uniqueName === uniqueName);
    if (event === undefined) return uniqueName;
    if (events.every(({ armNumber }) => armNumber === event.armNumber)) return event.label;
    return `${event.label} (Arm ${event.armNumber}: ${this.labels.arms.get(event.armNumber) ?? ''})`;
  }

  /** @see docs/protocol/redcap.md 4.4 (wire, client) */
  #reader({ name, field, choice }: ExportColumn): WrittenColumn['read'] {
    const { decimalCharacter, exportCheckboxLabel, exportBlankForGrayFormStatus } = this.options;
    if (choice !== undefined) {
      const words = exportCheckboxLabel ? [choice.label, ''] : ['Checked', 'Unchecked'];
      const [checked = '', unchecked = ''] = this.#isLabel ? words : ['1', '0'];
      return (row, isOn) => (cellOf(row, name) === '1' ? checked : isOn ? unchecked : '');
    }
    if (field === undefined) {
      const unsaved = exportBlankForGrayFormStatus ? '' : '0';
      const labels = this.#isLabel ? labelsOf(FORM_STATUS_CHOICES) : NONE;
      return (row, isOn) => {
        const status = textOf(row, name) || (isOn ? unsaved : '');
        return labels.get(status) ?? status;
      };
    }
    const cell = cellReader(name);
    const choices = this.#isLabel
      ? labelsOf([...this.shown.dictionary.choices(field), ...this.labels.missingDataCodes])
      : NONE;
    const isNumber =
      field.type === 'calc' || (field.type === 'text' && field.validationType.startsWith('number'));
    if (isNumber && decimalCharacter !== undefined) {
      return (row) => {
        const value = textOf(row, name);
        return choices.get(value) ?? value.replace(/[.,](?=\d+$)/, decimalCharacter);
      };
    }
    if (choices.size === 0) return cell;
    return (row) => {
      const value = cell(row);
      return choices.get(`${value}`) ?? value;
    };
  }
}

/** Reads a column of many rows: only a few names are those of properties that every object inherits. */
function cellReader(name: string): (row: RecordRow) => Cell {
  return name in Object.prototype ? (row) => cellOf(row, name) ?? '' : (row) => row[name] ?? '';
}

const NONE: ReadonlyMap<string, string> = new Map();

/** The first of several equal codes wins. */
function labelsOf(choices: readonly Choice[]): ReadonlyMap<string, string> {
  return new Map(choices.map(({ code, label }): [string, string] => [code, label]).reverse());
}
