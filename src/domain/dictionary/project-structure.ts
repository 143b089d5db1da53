import type { Choice } from './choices.js';
import type { DataDictionary } from './data-dictionary.js';
import type { ExportColumn } from './export-column.js';
import type { Field } from './field.js';

/** An event of a longitudinal project. */
export interface StructureEvent {
  /** Such as `baseline_arm_1`. */
  readonly uniqueName: string;
  readonly label: string;
  readonly arm: number;
}

/** The parts of a structure, as lists from REDCap's API. */
export interface ProjectStructureParts {
  /** The number of the project in REDCap; undefined for one that is in no REDCap. */
  readonly projectId?: number | undefined;
  readonly dictionary: DataDictionary;
  /** Empty in a classic project. */
  readonly events?: readonly StructureEvent[];
  readonly mappings?: readonly { readonly event: string; readonly instrument: string }[];
  /** The event is empty in classic projects, the instrument if the whole event repeats. */
  readonly repeating?: readonly { readonly event: string; readonly instrument: string }[];
  readonly missingDataCodes?: readonly string[];
}

/**
 * The instruments of a project, the events they belong to, and what repeats. The single event of a classic project has
 * an empty name, because exports name no event.
 */
export class ProjectStructure {
  readonly projectId: number | undefined;
  readonly dictionary: DataDictionary;
  readonly events: readonly StructureEvent[];
  readonly missingDataCodes: ReadonlySet<string>;
  readonly #instrumentsAt = new Map<string, Set<string>>();
  readonly #repeating: ReadonlySet<string>;

  constructor(parts: ProjectStructureParts) {
    const { dictionary, events = [], mappings = [], repeating = [], missingDataCodes = [] } = parts;
    this.projectId = parts.projectId;
    this.dictionary = dictionary;
    this.events = events;
    this.missingDataCodes = new Set(missingDataCodes);
    for (const { uniqueName } of events) this.#instrumentsAt.set(uniqueName, new Set());
    for (const { event, instrument } of mappings) this.#instrumentsAt.get(event)?.add(instrument);
    if (events.length === 0) this.#instrumentsAt.set('', new Set(dictionary.instruments));
    this.#repeating = new Set(repeating.map(({ event, instrument }) => keyOf(event, instrument)));
  }

  /** Returns all columns of an export, in dictionary order, with those that REDCap may add for missing data codes. */
  exportColumns(): readonly ExportColumn[] {
    return this.dictionary.exportColumns(this.#missingChoices);
  }

  /**
   * Returns the columns that an export has besides those of the dictionary, with their checkbox fields: one for each
   * missing data code.
   *
   * @see docs/protocol/redcap.md 4.2, item 10 (doc)
   */
  missingDataColumns(): ReadonlyMap<string, Field> {
    const columns = new Map<string, Field>();
    if (this.missingDataCodes.size === 0) return columns;
    for (const field of this.dictionary.fields)
      for (const name of this.missingDataColumnsOf(field)) columns.set(name, field);
    return columns;
  }

  /** Returns the columns of a checkbox field for missing data codes; none for another field. */
  missingDataColumnsOf(field: Field): readonly string[] {
    return this.dictionary.missingColumns(field, this.#missingChoices).map(({ name }) => name);
  }

  /** The labels of the codes are not known here. */
  get #missingChoices(): readonly Choice[] {
    return [...this.missingDataCodes].map((code) => ({ code, label: code }));
  }

  get isLongitudinal(): boolean {
    return this.events.length > 0;
  }

  get hasRepeats(): boolean {
    return this.#repeating.size > 0;
  }

  /** The names of the events; only the empty name in a classic project. */
  get eventNames(): readonly string[] {
    return [...this.#instrumentsAt.keys()];
  }

  /** Returns unique names in project order. */
  instrumentsAt(event: string): readonly string[] {
    const there = this.#instrumentsAt.get(event);
    return there === undefined ? [] : this.dictionary.instruments.filter((name) => there.has(name));
  }

  /** Returns the events that include an instrument. */
  eventsOf(instrument: string): readonly string[] {
    return this.eventNames.filter((event) => this.stands(instrument, event));
  }

  stands(instrument: string, event: string): boolean {
    return this.#instrumentsAt.get(event)?.has(instrument) ?? false;
  }

  repeatsInstrument(event: string, instrument: string): boolean {
    return this.#repeating.has(keyOf(event, instrument));
  }

  repeatsEvent(event: string): boolean {
    return this.#repeating.has(keyOf(event, ''));
  }

  /** Whether the instrument can have several instances at one of its events, by itself or with the whole event. */
  repeats(instrument: string): boolean {
    return this.eventsOf(instrument).some(
      (event) => this.repeatsInstrument(event, instrument) || this.repeatsEvent(event),
    );
  }
}

function keyOf(event: string, instrument: string): string {
  return `${event}\n${instrument}`;
}
