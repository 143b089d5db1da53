import { DataDictionary } from '../../dictionary/data-dictionary.js';
import { formStatusName, type ExportColumn } from '../../dictionary/export-column.js';
import type { Field } from '../../dictionary/field.js';
import { compileLogic, LogicError, type CompiledLogic } from './logic/logic.js';
import { ApiFailure } from './wire/answer.js';
import { RecordStore } from './records/record-store.js';
import type { Study, StudyEvent, StudyInstrument, StudyUser } from './study.js';

/** A calculated field and its formula. */
export interface Calculation {
  readonly field: Field;
  readonly logic: CompiledLogic | undefined;
}

/** A project of the sandbox: a study's design, and its records. */
export class SandboxProject {
  readonly dictionary: DataDictionary;
  readonly records = new RecordStore();
  readonly idField: string;
  readonly #events: ReadonlyMap<string, number>;
  readonly #mapped: ReadonlySet<string>;
  readonly #repeatingInstruments: ReadonlySet<string>;
  readonly #repeatingEvents: ReadonlySet<string>;
  readonly #instruments: ReadonlyMap<string, StudyInstrument>;
  readonly #logicNames: ReadonlyMap<string, Field>;
  #calculations: readonly Calculation[] | undefined;
  #columns: readonly ExportColumn[] | undefined;

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
    this.#events = new Map(study.events.map(({ uniqueName }, index) => [uniqueName, index]));
    this.#mapped = new Set(
      study.mappings.map(({ uniqueEventName, instrument }) => `${uniqueEventName}\n${instrument}`),
    );
    this.#repeatingInstruments = new Set(
      study.repeating
        .filter(({ instrument }) => instrument !== '')
        .map(({ uniqueEventName, instrument }) => `${uniqueEventName}\n${instrument}`),
    );
    this.#repeatingEvents = new Set(
      study.repeating
        .filter(({ instrument }) => instrument === '')
        .map(({ uniqueEventName }) => uniqueEventName),
    );
    this.#logicNames = new Map([
      ...study.fields.map((field): [string, Field] => [field.name, field]),
      ...study.instruments.map(({ name }): [string, Field] => [formStatusName(name), formStatusField(name)]),
    ]);
    this.#instruments = new Map(study.instruments.map((instrument) => [instrument.name, instrument]));
  }

  get isLongitudinal(): boolean {
    return this.study.events.length > 1;
  }

  get hasRepeats(): boolean {
    return this.study.repeating.length > 0;
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
    return this.#instruments.get(name);
  }

  instrumentOrder(name: string): number {
    return this.study.instruments.findIndex((instrument) => instrument.name === name);
  }

  /** Whether an instrument stands at an event; everything does in a classic project. */
  isMapped(event: string, instrument: string): boolean {
    return !this.isLongitudinal || this.#mapped.has(`${event}\n${instrument}`);
  }

  isRepeatingInstrument(event: string, instrument: string): boolean {
    return this.#repeatingInstruments.has(`${event}\n${instrument}`);
  }

  /** Whether the instrument repeats at any event. */
  isRepeatingAnywhere(instrument: string): boolean {
    return this.study.repeating.some((repeating) => repeating.instrument === instrument);
  }

  isRepeatingEvent(event: string): boolean {
    return this.#repeatingEvents.has(event);
  }

  /** The user whose token it is; tokens are compared without case. */
  userOf(token: string): StudyUser | undefined {
    return this.study.users.find(
      (user) => user.token !== '' && user.token.toUpperCase() === token.toUpperCase(),
    );
  }

  /** What logic may refer to: fields by name, and the status of instruments. */
  get logicNames(): ReadonlyMap<string, Field> {
    return this.#logicNames;
  }

  /** The calculated fields with their formulas, read once; undefined where the sandbox cannot read one. */
  get calculations(): readonly Calculation[] {
    this.#calculations ??= this.study.fields
      .filter(({ type }) => type === 'calc')
      .map((field) => ({ field, logic: this.#compiled(field.choicesOrCalculations) }));
    return this.#calculations;
  }

  #compiled(formula: string): CompiledLogic | undefined {
    try {
      return compileLogic(formula, this.logicNames, { clock: this.clock });
    } catch (error) {
      if (error instanceof LogicError) return undefined;
      throw error;
    }
  }

  /** Columns of records, in dictionary order. */
  get columns(): readonly ExportColumn[] {
    this.#columns ??= this.dictionary.exportColumns();
    return this.#columns;
  }

  /** `YYYY-MM-DD HH:MM:SS` now, in the server's time. */
  now(): string {
    return this.clock().toISOString().slice(0, 19).replace('T', ' ');
  }
}

/** The status of an instrument, as logic sees it. */
function formStatusField(instrument: string): Field {
  return { ...EMPTY_FIELD, name: formStatusName(instrument), instrument, type: 'dropdown' };
}

const EMPTY_FIELD: Field = {
  name: '',
  instrument: '',
  sectionHeader: '',
  type: 'text',
  label: '',
  choicesOrCalculations: '',
  note: '',
  validationType: '',
  validationMin: '',
  validationMax: '',
  isIdentifier: false,
  branchingLogic: '',
  isRequired: false,
  alignment: '',
  questionNumber: '',
  matrixGroup: '',
  isMatrixRanking: false,
  annotation: '',
};

/** @throws {ApiFailure} 403 with the text of a missing right */
export function requireRight(isGranted: boolean, right: string): void {
  if (!isGranted) throw new ApiFailure(403, `You do not have ${right} privileges`);
}
