import { setTimeout } from 'node:timers/promises';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import type { CallOptions, CrfClient } from '../../gateways/redcap/crf-client.js';
import { loadProjectStructure, type StructureSource } from '../../records/load-project-structure.js';
import type { ExportClient } from '../../records/export/record-exporter.js';
import { ChosenRecords, chosenEvents, isFiltered, type StudyFilter } from './chosen-records.js';
import { checkFilter } from './list-filter.js';
import { readRows } from './read-rows.js';
import { MONTHS, recruitmentBy, WEEKS } from './recruitment.js';
import { dateFieldOf, todayOf, type StudyOptions } from './study-options.js';
import type { CompletenessCell, MissingField, StudySummary } from './study-summary.js';
import type { FieldTally } from './form-tally.js';
import { StudyRelease, type StudyCounts } from './study-release.js';
import { StudyTally, type SiteTally } from './study-tally.js';

/** The operations that a summary needs. */
export interface SummarySource extends Omit<StructureSource, 'instruments'>, ExportClient {
  readonly instruments: Pick<CrfClient['instruments'], 'export' | 'exportEventMappings' | 'exportRepeating'>;
  readonly dags: Pick<CrfClient['dags'], 'export'>;
}

/** Maximum age of a summary that is returned without computing a new one. */
const FRESH_MS = 60_000;
/** How old a summary may be that is returned at once. For one that is older, the new one is awaited for a moment. */
const TOO_OLD_MS = 24 * 3_600_000;
const PATIENCE_MS = 1500;
const MOST_MISSING_FIELDS = 100;
const DEFAULT_SMALL_CELL = 5;

/**
 * Summarises the progress of a study in numbers. A summary is computed in one pass over the records, shared by
 * concurrent requests, cached, and recomputed in the background when it is older than a minute. Memory: depends on the
 * size of the project.
 */
export class SummaryService {
  readonly #source: SummarySource;
  readonly #options: StudyOptions;
  readonly #clock: () => Date;
  readonly #filter: StudyFilter;
  #known: StudyCounts | undefined;
  #pending: Promise<StudyCounts> | undefined;
  #failedAt: string | undefined;

  /** @param filter selects part of the study; all of it by default */
  constructor(
    source: SummarySource,
    options: StudyOptions,
    clock: () => Date = () => new Date(),
    filter: StudyFilter = {},
  ) {
    this.#source = source;
    this.#filter = filter;
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * @param viewer with `mayReadRecords`, all counts are returned; otherwise none that refers to fewer than `smallCell`
   *   people
   * @throws {CrfError} errors of `CrfClient.openRecords`, while there is no cached summary
   */
  async summary(viewer: { readonly mayReadRecords: boolean }): Promise<StudySummary> {
    if (!viewer.mayReadRecords && this.#threshold > 1) return (await this.release()).summary;
    return (await this.#current()).summary;
  }

  /**
   * Returns what a caller who may not read records may be told.
   *
   * @throws {CrfError} errors of `CrfClient.openRecords`, while there is no cached summary
   */
  async release(): Promise<StudyRelease> {
    return new StudyRelease(await this.#current(), this.#threshold);
  }

  /** When computing the summary failed, in ISO 8601; undefined if it succeeded the last time. */
  get failedAt(): string | undefined {
    return this.#failedAt;
  }

  get #threshold(): number {
    return this.#options.smallCell ?? DEFAULT_SMALL_CELL;
  }

  async #current(): Promise<StudyCounts> {
    const known = this.#known;
    const ageMs = known === undefined ? Infinity : this.#clock().getTime() - Date.parse(known.summary.madeAt);
    if (known !== undefined && ageMs < FRESH_MS) return known;
    const made = this.#make();
    if (known === undefined) return made;
    const orOld = made.catch(() => known); // the old one remains valid and states when it was made
    if (ageMs <= TOO_OLD_MS) return known;
    return Promise.race([orOld, setTimeout(PATIENCE_MS, known, { ref: false })]);
  }

  /**
   * Computes a summary, or joins the running computation. It is not cancelled with a request, because others may wait
   * for its result.
   */
  #make(): Promise<StudyCounts> {
    this.#pending ??= this.#compute({ caller: 'summary' })
      .then(
        (counts) => {
          this.#failedAt = undefined;
          return (this.#known = counts);
        },
        (error: unknown) => {
          this.#failedAt = this.#clock().toISOString();
          throw error;
        },
      )
      .finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #compute(call: CallOptions): Promise<StudyCounts> {
    const [structure, info, instruments, groups] = await Promise.all([
      loadProjectStructure(this.#source, call),
      this.#source.getProjectInfo(call),
      this.#source.instruments.export(call),
      // Without the right to list groups, their unique names are still known from the records.
      this.#source.dags.export(call).catch(() => []),
    ]);
    const dateField = dateFieldOf(structure, this.#options);
    const filter = this.#filter;
    checkFilter(filter, structure);
    const tally = await StudyTally.of(
      structure,
      dateField?.name,
      chosenEvents(filter, structure),
      this.#options,
    );
    const chosen = isFiltered(filter)
      ? new ChosenRecords(tally, filter, structure, dateField?.name)
      : undefined;
    await readRows(
      this.#source,
      { exportDataAccessGroups: true, exportBlankForGrayFormStatus: true },
      chosen ?? tally,
      call,
    );
    chosen?.end();
    tally.end();

    const labels = new Map(instruments.map(({ name, label }) => [name, withoutTags(label)]));
    const { byDay, records } = tally;
    const today = todayOf(this.#options, this.#clock);
    const months = recruitmentBy(MONTHS, byDay, this.#options, today);
    const summary: StudySummary = {
      madeAt: this.#clock().toISOString(),
      smallCell: 0,
      title: info.title,
      isLongitudinal: structure.isLongitudinal,
      records,
      fields: structure.dictionary.fields.filter(({ type }) => type !== 'descriptive').length,
      instruments: structure.dictionary.instruments.length,
      recruitment: {
        dateField: dateField?.name ?? null,
        dateLabel: withoutTags(dateField?.label ?? ''),
        isChosen: this.#options.dateField !== undefined,
        undated: records - (months.at(-1)?.cumulated ?? 0),
        plannedStart: this.#options.start ?? null,
        plannedEnd: this.#options.end ?? null,
        target: this.#options.target ?? null,
        months,
        weeks: recruitmentBy(WEEKS, byDay, this.#options, today),
      },
      sites: sitesOf(tally.bySite, groups),
      completeness: gridOf(tally, structure, labels),
      missing: worstFields(tally.fields),
      missingPercent: percentOf(
        tally.fields.reduce((sum, { missing }) => sum + missing, 0),
        tally.fields.reduce((sum, { shown }) => sum + shown, 0),
      ),
    };
    return {
      summary,
      recordsOfArm: tally.recordsOfArm,
      fields: tally.fields.map(({ field, shown, missing, stray }) => ({ field, shown, missing, stray })),
    };
  }
}

function sitesOf(
  bySite: ReadonlyMap<string, SiteTally>,
  groups: readonly { readonly uniqueName: string; readonly name: string }[],
): StudySummary['sites'] {
  const labels = new Map(groups.map(({ uniqueName, name }) => [uniqueName, name]));
  const names = new Set([...labels.keys(), ...bySite.keys()].filter((name) => name !== ''));
  if (names.size === 0) return [];
  const none = bySite.get('');
  const nothing = { records: 0, complete: 0, forms: 0 };
  return [
    ...[...names].map((group) => ({
      group,
      label: labels.get(group) ?? group,
      ...(bySite.get(group) ?? nothing),
      daysToEntry: null,
    })),
    ...(none === undefined ? [] : [{ group: '', label: 'No group', ...none, daysToEntry: null }]),
  ].sort((one, other) => other.records - one.records);
}

function gridOf(
  tally: StudyTally,
  structure: ProjectStructure,
  labels: ReadonlyMap<string, string>,
): CompletenessCell[] {
  const events = new Map(structure.events.map(({ uniqueName, label }) => [uniqueName, label]));
  return tally.places.map(({ event, instrument, isRepeating, isExpected, statuses, records: withForm }) => {
    const records = tally.recordsOfArm.get(tally.armOf(event)) ?? 0;
    const [incomplete, unverified, complete] = statuses;
    return {
      event,
      eventLabel: withoutTags(events.get(event) ?? event),
      instrument,
      instrumentLabel: labels.get(instrument) ?? instrument,
      isRepeating,
      isExpected,
      records,
      complete,
      unverified,
      incomplete,
      notBegun: Math.max(0, records - withForm),
    };
  });
}

function worstFields(fields: readonly FieldTally[]): MissingField[] {
  return fields
    .filter(({ missing }) => missing > 0)
    .sort((one, other) => other.missing / other.shown - one.missing / one.shown)
    .slice(0, MOST_MISSING_FIELDS)
    .map(({ field, shown, missing, unknown }) => ({
      field: field.name,
      label: withoutTags(field.label),
      instrument: field.instrument,
      shown,
      missing,
      percent: percentOf(missing, shown),
      hasUnreadLogic: unknown > 0,
    }));
}

function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
}
