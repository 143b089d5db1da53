import { parseChoices, type Choice } from '../../dictionary/choices.js';
import { DataDictionary } from '../../dictionary/data-dictionary.js';
import { formStatusName, type ExportColumn } from '../../dictionary/export-column.js';
import { BLANK_FIELD, type Field } from '../../dictionary/field.js';
import { compileLogic, LogicError, type CompiledLogic } from './logic/logic.js';
import { DocumentIds } from './records/document-ids.js';
import { RecordStore } from './records/record-store.js';
import type { Study, StudyEvent, StudyInstrument, StudyRepeating, StudyUser } from './study.js';

/** A calculated field and its formula. */
export interface Calculation {
  readonly field: Field;
  /** Undefined where the sandbox cannot read the formula. */
  readonly logic: CompiledLogic | undefined;
}

/** A project of the sandbox: a study's design, and its records. */
export class SandboxProject {
  readonly dictionary: DataDictionary;
  readonly records = new RecordStore();
  readonly documents = new DocumentIds();
  readonly idField: string;
  /** Columns of records, in dictionary order. */
  readonly columns: readonly ExportColumn[];
  /** The calculated fields with their formulas, in dictionary order. */
  readonly calculations: readonly Calculation[];
  /** Codes that say why a value is missing, allowed in every field but checkboxes. @see protocol reference 4.2, item 10 (doc) */
  readonly missingCodes: readonly Choice[];
  /** What repeats; without an event in a classic project. */
  readonly repeating: readonly StudyRepeating[];
  /** What logic may refer to: fields by name, and the status of instruments. */
  readonly logicNames: ReadonlyMap<string, Field>;
  readonly #events: ReadonlyMap<string, number>;
  readonly #mapped: ReadonlySet<string>;
  readonly #repeats: ReadonlySet<string>;
  readonly #instruments: ReadonlyMap<string, number>;

  /**
   * @param study the design; its rows are put into the store by `loadRows`
   * @param clock the server's time
   */
  constructor(
    readonly study: Study,
    readonly clock: () => Date,
  ) {
    this.dictionary = new DataDictionary(study.fields);
    this.idField = study.fields[0]?.name ?? 'record_id';
    this.columns = this.dictionary.exportColumns();
    this.missingCodes = parseChoices(study.project.missingDataCodes);
    this.repeating = study.repeating.map((repeating) =>
      this.isLongitudinal ? repeating : { ...repeating, uniqueEventName: '' },
    );
    this.logicNames = new Map([
      ...study.fields.map((field): [string, Field] => [field.name, field]),
      ...study.instruments.map(({ name }): [string, Field] => [formStatusName(name), formStatusField(name)]),
    ]);
    this.calculations = study.fields
      .filter(({ type }) => type === 'calc')
      .map((field) => ({ field, logic: this.#compiled(field.choicesOrCalculations) }));
    this.#events = new Map(study.events.map(({ uniqueName }, index) => [uniqueName, index]));
    this.#mapped = new Set(
      study.mappings.map(({ uniqueEventName, instrument }) => placeKey(uniqueEventName, instrument)),
    );
    this.#repeats = new Set(
      this.repeating.map(({ uniqueEventName, instrument }) => placeKey(uniqueEventName, instrument)),
    );
    this.#instruments = new Map(study.instruments.map(({ name }, index) => [name, index]));
  }

  /** With one event or none a project is classic. @see protocol reference 9.1 (client) */
  get isLongitudinal(): boolean {
    return this.study.events.length > 1;
  }

  get hasRepeats(): boolean {
    return this.repeating.length > 0;
  }

  /** The first event of the first arm; empty in a classic project. */
  get firstEvent(): string {
    return this.isLongitudinal ? (this.study.events[0]?.uniqueName ?? '') : '';
  }

  event(uniqueName: string): StudyEvent | undefined {
    const index = this.#events.get(uniqueName);
    return index === undefined ? undefined : this.study.events[index];
  }

  /** @returns the position of an event; 0 in a classic project */
  eventOrder(uniqueName: string): number {
    return this.#events.get(uniqueName) ?? 0;
  }

  instrument(name: string): StudyInstrument | undefined {
    const index = this.#instruments.get(name);
    return index === undefined ? undefined : this.study.instruments[index];
  }

  /** @returns the position of an instrument; -1 when there is none, as on the rows of a repeating event */
  instrumentOrder(name: string): number {
    return this.#instruments.get(name) ?? -1;
  }

  /** Whether it is a field of the dictionary, descriptive ones too, or the status of an instrument; no checkbox column. */
  hasField(name: string): boolean {
    if (this.dictionary.field(name) !== undefined) return true;
    const column = this.dictionary.column(name);
    return column !== undefined && column.field === undefined;
  }

  isMissingCode(value: string): boolean {
    return this.missingCodes.some(({ code }) => code === value);
  }

  /** Whether an instrument stands at an event; everything does in a classic project. */
  isMapped(event: string, instrument: string): boolean {
    return !this.isLongitudinal || this.#mapped.has(placeKey(event, instrument));
  }

  isRepeatingInstrument(event: string, instrument: string): boolean {
    return instrument !== '' && this.#repeats.has(placeKey(event, instrument));
  }

  isRepeatingEvent(event: string): boolean {
    return this.#repeats.has(placeKey(event, ''));
  }

  /** The user whose token it is; tokens are compared without case. */
  userOf(token: string): StudyUser | undefined {
    return this.study.users.find(
      (user) => user.token !== '' && user.token.toUpperCase() === token.toUpperCase(),
    );
  }

  /** `YYYY-MM-DD HH:MM:SS` now, in the server's time. */
  now(): string {
    return this.clock().toISOString().slice(0, 19).replace('T', ' ');
  }

  #compiled(formula: string): CompiledLogic | undefined {
    try {
      return compileLogic(formula, this.logicNames, { clock: this.clock });
    } catch (error) {
      if (error instanceof LogicError) return undefined;
      throw error;
    }
  }
}

function placeKey(event: string, instrument: string): string {
  return `${event}\n${instrument}`;
}

/** The status of an instrument, as logic sees it. */
function formStatusField(instrument: string): Field {
  const name = formStatusName(instrument);
  return { ...BLANK_FIELD, name, instrument, type: 'dropdown', label: 'Complete?' };
}
