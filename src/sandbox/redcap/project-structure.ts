import { parseChoices } from '../../domain/dictionary/choices.js';
import { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import { BLANK_FIELD, type Field } from '../../domain/dictionary/field.js';
import { compileLogic, LogicError, type CompiledLogic } from './logic.js';
import type { Study, StudyRepeating } from './study.js';

/** A calculated field and its formula. */
export interface Calculation {
  readonly field: Field;
  /** Undefined if the sandbox cannot parse the formula. */
  readonly logic: CompiledLogic | undefined;
}

/** Everything that is derived from the design of a study; rebuilt whenever the design changes. */
export type ProjectStructure = Readonly<ReturnType<typeof structureOf>>;

/** Derives the structure of a study. @param clock the server's time, for `'today'` and `'now'` in logic */
export function structureOf(study: Study, clock: () => Date) {
  const isLongitudinal = hasEvents(study);
  const dictionary = new DataDictionary(study.fields);
  const repeating = isLongitudinal ? study.repeating : classicRepeating(study);
  const logicNames = new Map([
    ...study.fields.map((field): [string, Field] => [field.name, field]),
    ...study.instruments.map(({ name }): [string, Field] => [formStatusName(name), formStatusField(name)]),
  ]);
  const missingCodes = parseChoices(study.project.missingDataCodes);
  const columns = dictionary.exportColumns(missingCodes);
  const logicOptions = { clock, missingCodes: missingCodes.map(({ code }) => code) };
  /** Parses logic on fields and form statuses of the study. @throws {LogicError} as `compileLogic` */
  const compile = (source: string) => compileLogic(source, logicNames, logicOptions);
  const toCalculation = (field: Field): Calculation => ({
    field,
    logic: unlessInvalid(() => compile(field.choicesOrCalculations)),
  });
  return {
    study,
    isLongitudinal,
    dictionary,
    /** The export columns in dictionary order, with those for missing data codes. */
    columns,
    columnsByName: new Map(columns.map((column) => [column.name, column])),
    /**
     * Codes for the reason why a value is missing, allowed in every field. Those of checkbox fields have columns.
     *
     * @see docs/protocol/redcap.md 4.2, item 10 (doc)
     */
    missingCodes,
    repeating,
    compileLogic: compile,
    calculations: study.fields.filter(({ type }) => type === 'calc').map(toCalculation),
    eventOrder: new Map(study.events.map(({ uniqueName }, index) => [uniqueName, index])),
    instrumentOrder: new Map(study.instruments.map(({ name }, index) => [name, index])),
    /** Instruments designated for events, as keys of `placeKey`. */
    mapped: new Set(study.mappings.map((entry) => placeKey(entry.event, entry.instrument))),
    /** Repeating instruments and, with an empty instrument, events, as keys of `placeKey`. */
    repeats: new Set(repeating.map((entry) => placeKey(entry.event, entry.instrument))),
  };
}

/** Returns a text for an event and an instrument, as a key of maps and sets. */
export function placeKey(event: string, instrument: string): string {
  return `${event}\n${instrument}`;
}

/** Returns the event and the instrument of a key of `placeKey`. */
export function placeOfKey(key: string): { readonly event: string; readonly instrument: string } {
  const [event = '', instrument = ''] = key.split('\n');
  return { event, instrument };
}

/**
 * Whether a project is longitudinal: it needs two or more events, and `is_longitudinal` must not be off.
 *
 * @see docs/protocol/redcap.md 9.1 (client)
 */
function hasEvents({ events, project, keepsEvents = false }: Study): boolean {
  return events.length > (keepsEvents ? 0 : 1) && Number(project.settings?.is_longitudinal ?? 1) !== 0;
}

/** Returns what repeats while a project is classic: the repeating instruments of the first event, without its name. */
function classicRepeating({ repeating, events }: Study): StudyRepeating[] {
  const first = events[0]?.uniqueName;
  return repeating
    .filter(({ event }) => first === undefined || ['', first].includes(event))
    .filter(({ instrument }) => instrument !== '')
    .map((entry) => ({ ...entry, event: '' }));
}

function unlessInvalid(compile: () => CompiledLogic): CompiledLogic | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof LogicError) return undefined;
    throw error;
  }
}

/** Returns the form status of an instrument as a field for logic. */
function formStatusField(instrument: string): Field {
  const name = formStatusName(instrument);
  return { ...BLANK_FIELD, name, instrument, type: 'dropdown', label: 'Complete?' };
}
