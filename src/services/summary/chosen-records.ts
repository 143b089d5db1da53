import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { checkRowsHeld } from '../../records/rules/records-of.js';
import type { ListFilter } from './list-filter.js';
import { isChosen } from './list-filter.js';
import { dayOfText } from './listed-forms.js';
import type { Cells, RowSink } from './read-rows.js';

/** Selects part of a study: records by site, arm and day of joining, and of their forms those of an event or arm. */
export type StudyFilter = Pick<ListFilter, 'site' | 'arm' | 'event' | 'from' | 'to'>;

/** Whether a filter selects less than the whole study. */
export function isFiltered(filter: StudyFilter): boolean {
  return Object.values(filter).some((part) => part !== undefined);
}

/** Returns the events of which a filter selects the forms; undefined for all of them. */
export function chosenEvents(
  { arm, event }: StudyFilter,
  { events }: ProjectStructure,
): ReadonlySet<string> | undefined {
  if (arm === undefined && event === undefined) return undefined;
  const chosen = events.filter(
    ({ armNumber, uniqueName }) =>
      (arm === undefined || armNumber === arm) && (event === undefined || uniqueName === event),
  );
  return new Set(chosen.map(({ uniqueName }) => uniqueName));
}

/**
 * Passes on the rows of the records that a filter selects. Where a record belongs may stand in any of its rows, so they
 * are held until its last one. Memory: the rows of a record.
 */
export class ChosenRecords implements RowSink {
  readonly #sink: RowSink;
  readonly #filter: StudyFilter;
  readonly #structure: ProjectStructure;
  readonly #dateField: string | undefined;
  readonly #arms: ReadonlyMap<string, number>;
  #at = { id: -1, event: -1, group: -1, date: -1 };
  #held: Cells[] = [];
  #id = '';
  #site = '';
  #date = '';
  #isInArm = false;

  /** @param dateField the field with the day on which a record joined */
  constructor(
    sink: RowSink,
    filter: StudyFilter,
    structure: ProjectStructure,
    dateField: string | undefined,
  ) {
    this.#sink = sink;
    this.#filter = filter;
    this.#structure = structure;
    this.#dateField = dateField;
    this.#arms = new Map(structure.events.map(({ uniqueName, armNumber }) => [uniqueName, armNumber]));
  }

  header(names: readonly string[]): void {
    this.#at = {
      id: names.indexOf(this.#structure.dictionary.recordIdField?.name ?? ''),
      event: names.indexOf('redcap_event_name'),
      group: names.indexOf('redcap_data_access_group'),
      date: names.indexOf(this.#dateField ?? ''),
    };
    this.#sink.header(names);
  }

  row(cells: Cells): void {
    const { id, event, group, date } = this.#at;
    if (this.#held.length === 0 || cells[id] !== this.#id) this.#begin(cells[id]);
    checkRowsHeld(this.#held.length);
    this.#held.push(cells);
    if (this.#site === '') this.#site = cells[group] ?? '';
    if (this.#date === '') this.#date = cells[date] ?? '';
    this.#isInArm ||= this.#arms.get(cells[event] ?? '') === this.#filter.arm;
  }

  /** Passes on the last record. Call it after the last row. */
  end(): void {
    this.#begin();
  }

  #begin(id = ''): void {
    if (this.#held.length > 0 && this.#isWanted()) for (const row of this.#held) this.#sink.row(row);
    this.#held = [];
    this.#id = id;
    this.#site = this.#date = '';
    this.#isInArm = false;
  }

  #isWanted(): boolean {
    if (this.#filter.arm !== undefined && !this.#isInArm) return false;
    return isChosen({ record: '', site: this.#site, joined: dayOfText(this.#date) }, this.#filter);
  }
}
