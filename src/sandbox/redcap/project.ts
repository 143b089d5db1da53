import type { Choice } from '../../domain/dictionary/choices.js';
import type { DataDictionary } from '../../domain/dictionary/data-dictionary.js';
import type { ExportColumn } from '../../domain/dictionary/export-column.js';
import { ActionLog } from './action-log.js';
import { DocumentStore, FileRepository } from './files/document-store.js';
import { placeKey, structureOf, type ProjectStructure } from './project-structure.js';
import { type Place, RecordStore } from './records/record-store.js';
import type {
  Study,
  StudyEvent,
  StudyGroup,
  StudyInstrument,
  StudyRepeating,
  StudyRole,
  StudySurvey,
  StudyUser,
} from './study.js';

/** A project of the sandbox: the design of a study, which API calls may change, and its data. */
export class SandboxProject {
  readonly records: RecordStore;
  readonly documents: DocumentStore;
  readonly repository = new FileRepository();
  readonly log: ActionLog;
  #structure: ProjectStructure;
  #lastRole = 0;
  #lastGroup: number;
  #lastEvent = 0;

  /**
   * @param study the design; `loadRows` stores its rows
   * @param clock the server's time
   * @param id the number of the project
   * @param publicUrl REDCap's own address in links, with a trailing slash; `https://redcap.example.org/` by default
   */
  constructor(
    study: Study,
    readonly clock: () => Date,
    readonly id = 1,
    readonly publicUrl = 'https://redcap.example.org/',
  ) {
    this.#structure = structureOf(this.#numbered(study), clock);
    this.records = new RecordStore(study.keepsOrder !== true);
    this.log = new ActionLog(() => this.now());
    this.documents = new DocumentStore(study.firstDocumentId);
    this.#lastGroup = Math.max(0, ...(study.groups ?? []).map(({ id: group }) => group));
  }

  /** What is derived from the design. */
  get structure(): ProjectStructure {
    return this.#structure;
  }

  get study(): Study {
    return this.#structure.study;
  }

  redesign(change: Partial<Study>): void {
    this.#structure = structureOf(this.#numbered({ ...this.study, ...change }), this.clock);
  }

  /** Gives new events their numbers. */
  #numbered(study: Study): Study {
    if (study.events.every(({ id }) => id !== undefined)) return study;
    const events = study.events.map((event) => ({ ...event, id: event.id ?? ++this.#lastEvent }));
    return { ...study, events };
  }

  get dictionary(): DataDictionary {
    return this.#structure.dictionary;
  }

  /** The name of the field with the record ID. */
  get idField(): string {
    return this.study.fields[0]?.name ?? 'record_id';
  }

  column(name: string): ExportColumn | undefined {
    return this.#structure.columnsByName.get(name);
  }

  get missingCodes(): readonly Choice[] {
    return this.#structure.missingCodes;
  }

  isMissingCode(value: string): boolean {
    return this.missingCodes.some(({ code }) => code === value);
  }

  get isLongitudinal(): boolean {
    return this.#structure.isLongitudinal;
  }

  /** Repeating instruments and events; their event name is empty in a classic project. */
  get repeating(): readonly StudyRepeating[] {
    return this.#structure.repeating;
  }

  get isRandomizing(): boolean {
    return Number(this.study.project.settings?.randomization_enabled ?? 0) === 1;
  }

  get hasRepeats(): boolean {
    return this.repeating.length > 0;
  }

  /** The first event of the first arm; empty in a classic project. */
  get firstEvent(): string {
    return this.isLongitudinal ? (this.study.events[0]?.uniqueName ?? '') : '';
  }

  event(uniqueName: string): StudyEvent | undefined {
    const index = this.#structure.eventOrder.get(uniqueName);
    return index === undefined ? undefined : this.study.events[index];
  }

  /** @returns the position of an event; 0 in a classic project */
  eventOrder(uniqueName: string): number {
    return this.#structure.eventOrder.get(uniqueName) ?? 0;
  }

  instrument(name: string): StudyInstrument | undefined {
    const index = this.#structure.instrumentOrder.get(name);
    return index === undefined ? undefined : this.study.instruments[index];
  }

  /** @returns the position of an instrument; -1 if there is none, as on the rows of a repeating event */
  instrumentOrder(name: string): number {
    return this.#structure.instrumentOrder.get(name) ?? -1;
  }

  /**
   * Whether a name is a field of the dictionary (descriptive ones included) or a form status; false for checkbox
   * columns.
   */
  hasField(name: string): boolean {
    if (this.dictionary.field(name) !== undefined) return true;
    const column = this.column(name);
    return column !== undefined && column.field === undefined;
  }

  /** Whether an instrument is designated for an event; always true in a classic project. */
  isMapped(event: string, instrument: string): boolean {
    return !this.isLongitudinal || this.#structure.mapped.has(placeKey(event, instrument));
  }

  /** Whether an instrument repeats at an event; the event is empty in a classic project. */
  isRepeatingInstrument(event: string, instrument: string): boolean {
    return instrument !== '' && this.#structure.repeats.has(placeKey(event, instrument));
  }

  /** Whether an event repeats as a whole. */
  isRepeatingEvent(event: string): boolean {
    return this.#structure.repeats.has(placeKey(event, ''));
  }

  /**
   * Returns where the data of an instrument at an event is stored.
   *
   * @param instance the repeat instance, from 1; it does not matter where nothing repeats
   */
  placeOf(event: string, instrument: string, instance: number): Place {
    const isRepeating = this.isRepeatingInstrument(event, instrument);
    return {
      event,
      instrument: isRepeating ? instrument : '',
      instance: isRepeating || this.isRepeatingEvent(event) ? instance : 0,
    };
  }

  get roles(): readonly StudyRole[] {
    return this.study.roles ?? [];
  }

  get groups(): readonly StudyGroup[] {
    return this.study.groups ?? [];
  }

  /** Returns the number of a new role, each only once: a reference to a deleted role must not lead to another one. */
  nextRoleNumber(): number {
    return ++this.#lastRole;
  }

  /** Returns the number of a new data access group, each only once. */
  nextGroupNumber(): number {
    return ++this.#lastGroup;
  }

  group(uniqueName: string): StudyGroup | undefined {
    return this.groups.find((group) => group.uniqueName === uniqueName);
  }

  /** Returns the survey of an instrument; undefined if it has none or surveys are disabled. */
  survey(instrument: string): StudySurvey | undefined {
    if (!this.study.project.surveysEnabled) return undefined;
    return this.study.surveys?.find((survey) => survey.instrument === instrument);
  }

  /** Users, sorted by name. @see docs/protocol/redcap.md 20 (client) */
  get usersByName(): readonly StudyUser[] {
    return this.study.users.toSorted((left, right) => (left.username < right.username ? -1 : 1));
  }

  user(username: string): StudyUser | undefined {
    return this.study.users.find((user) => user.username === username);
  }

  /** Returns the user that a token belongs to. Tokens are case-insensitive. */
  userOf(token: string): StudyUser | undefined {
    return this.study.users.find(
      (user) => user.token !== '' && user.token.toUpperCase() === token.toUpperCase(),
    );
  }

  /** Returns the current server time as `YYYY-MM-DD HH:MM:SS`. */
  now(): string {
    return this.clock().toISOString().slice(0, 19).replace('T', ' ');
  }
}
