import { LRUCache } from 'lru-cache';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import { InsufficientScopeError } from '../../domain/errors/access-errors.js';
import { toGap } from '../../domain/errors/crf-error.js';
import type { Scope } from '../../domain/identifiers/scope.js';
import type { CrfCalls } from '../../gateways/redcap/crf-client.js';
import { isFiltered, type StudyFilter } from './chosen-records.js';
import { countStudy } from './count-study.js';
import { medianDaysToEntry, type DaysToEntry } from './days-to-entry.js';
import { countField, kindOf, type CountedField, type DistributionRequest } from './distribution-tally.js';
import { later } from './due-visits.js';
import type { FieldDistribution } from './field-distribution.js';
import { KeptCounts } from './kept-counts.js';
import { countFindings, type DatedQualitySummary, type FindingSource } from './quality-counts.js';
import { withoutSmallGroups } from './small-distributions.js';
import { readActivity, type StudyActivity } from './study-activity.js';
import { todayOf, type StudyOptions } from './study-options.js';
import { StudyRelease, type StudyCounts } from './study-release.js';
import type { StudySummary } from './study-summary.js';

/** A field with a distribution. */
export interface ChoosableField {
  readonly name: string;
  readonly label: string;
}

/** The figures of a part of the study. */
interface StudyPart {
  readonly counts: KeptCounts<StudyCounts>;
  readonly quality: KeptCounts<DatedQualitySummary>;
  readonly daysToEntry: KeptCounts<DaysToEntry>;
}

/** The findings on what was entered or changed since a day. */
export interface RecentFindings extends DatedQualitySummary {
  /** `YYYY-MM-DD` */
  readonly since: string;
}

/** The days that are recent. */
const RECENT_DAYS = 7;
/** How many filters have their figures cached. */
const MOST_FILTERS = 20;
/** How many distributions are cached, and for how long. */
const MOST_DISTRIBUTIONS = 50;
const REMEMBERED_MS = 60_000;
/** The minimum time between two summaries, and between two passes for any other counts. */
const SUMMARY_MS = 60_000;
const COUNTS_MS = 600_000;
const DEFAULT_SMALL_CELL = 5;

function keyOf({ dag, arm, event, from, until }: StudyFilter): string {
  return JSON.stringify([dag, arm, event, from, until]);
}

function mayReadLogOfRecords(scopes: readonly Scope[]): boolean {
  return scopes.includes('records:read') && scopes.includes('log:read');
}

/** The study in numbers, as far as the scopes of the caller allow. */
export class StudySummaries {
  /** The figures of each filter, by the text of the filter. */
  readonly #parts = new LRUCache<string, StudyPart>({ max: MOST_FILTERS });
  /** The counts of recent findings of each filter and day. */
  readonly #recent = new LRUCache<string, KeptCounts<DatedQualitySummary>>({ max: MOST_FILTERS });
  readonly #distributions: LRUCache<string, Promise<CountedField>>;
  readonly #activity: KeptCounts<StudyActivity>;
  readonly #threshold: number;

  constructor(
    private readonly source: CrfCalls,
    private readonly findings: FindingSource,
    private readonly options: StudyOptions = {},
    private readonly clock: () => Date = () => new Date(),
  ) {
    this.#distributions = new LRUCache({
      max: MOST_DISTRIBUTIONS,
      ttl: REMEMBERED_MS,
      ttlResolution: 0,
      perf: { now: () => clock().getTime() },
    });
    this.#activity = this.#kept(() => readActivity(source, clock()));
    this.#threshold = options.smallCell ?? DEFAULT_SMALL_CELL;
  }

  /**
   * @param filter selects part of the study; only for callers who may read records, because figures of parts add up to
   *   small counts
   * @throws {InsufficientScopeError} the caller may not use a filter
   * @throws {InvalidRequestError} the filter selects what does not exist
   * @throws {CrfError} errors of `countStudy`, while there is no cached summary
   */
  async summary(scopes: readonly Scope[], filter: StudyFilter = {}): Promise<StudySummary> {
    const counts = await this.#partOf(scopes, filter).counts.counts();
    return this.#mayKnow(scopes) ? counts.summary : new StudyRelease(counts, this.#threshold).summary;
  }

  /**
   * Returns when the summary could not be computed anew, in ISO 8601; undefined if it could the last time. An earlier
   * summary is still returned.
   *
   * @throws {InsufficientScopeError} the caller may not use a filter
   */
  failedAt(scopes: readonly Scope[], filter: StudyFilter = {}): string | undefined {
    return this.#partOf(scopes, filter).counts.failedAt;
  }

  /**
   * Returns the distribution of one field, computed in one pass over its column. Cached for a minute.
   *
   * @throws {InsufficientScopeError} the caller may not use a filter
   * @throws {InvalidRequestError} there is no such field, or it holds no data
   * @throws {CrfError} errors of `CrfClient.openRecords`
   */
  async distribution(request: DistributionRequest, scopes: readonly Scope[]): Promise<FieldDistribution> {
    const { counts } = this.#partOf(scopes, request.filter ?? {});
    const { distribution, ...field } = await this.#distribution(request);
    if (this.#mayKnow(scopes)) return distribution;
    return withoutSmallGroups(distribution, field, new StudyRelease(await counts.counts(), this.#threshold));
  }

  /** Returns the fields with a distribution in project order: choices and numbers, without identifiers. */
  async fields(): Promise<readonly ChoosableField[]> {
    const [, ...fields] = await this.source.fields.list({ caller: 'summary' });
    return fields
      .filter((field) => kindOf(field) !== 'presence')
      .map(({ name, label }) => ({ name, label: withoutTags(label) }));
  }

  /**
   * Returns the activity by day for callers who may read the log. Cached for ten minutes. REDCap logs that the log was
   * read.
   *
   * @returns undefined for other callers
   * @throws {CrfError} errors of `Log.list`
   */
  async activity(scopes: readonly Scope[]): Promise<StudyActivity | undefined> {
    return scopes.includes('log:read') ? this.#activity.counts() : undefined;
  }

  /**
   * Returns the quality findings by rule for callers who may read records. Cached for ten minutes.
   *
   * @returns undefined for other callers
   * @throws {CrfError} errors of `StudyLists.findings`, while there are no cached counts
   */
  async quality(
    scopes: readonly Scope[],
    filter: StudyFilter = {},
  ): Promise<DatedQualitySummary | undefined> {
    return scopes.includes('records:read') ? this.#partOf(scopes, filter).quality.counts() : undefined;
  }

  /**
   * Returns the findings on what was entered or changed in the last seven days, for callers who may read records and the
   * log. Only the records that the log names are read. Cached for ten minutes. REDCap logs that the log was read.
   *
   * @returns undefined for other callers, and if it cannot be told: because the token has no right to the log, or more
   *   was changed than can be held
   */
  async recent(scopes: readonly Scope[], filter: StudyFilter = {}): Promise<RecentFindings | undefined> {
    if (!mayReadLogOfRecords(scopes)) return undefined;
    const since = later(todayOf(this.options, this.clock), -RECENT_DAYS);
    const key = `${since}\n${keyOf(filter)}`;
    const counts =
      this.#recent.get(key) ??
      this.#kept(() => countFindings(this.findings, this.clock, { ...filter, changedFrom: since }));
    this.#recent.set(key, counts);
    const found = await counts.counts().catch(toGap);
    return found && { ...found, since };
  }

  /**
   * Adds to the data access groups of a summary how many days pass until a visit is entered, for callers who may read records and the
   * log. Cached for ten minutes. REDCap logs that the log was read. If it cannot be read, nothing is added.
   *
   * @throws {InsufficientScopeError} the caller may not use a filter
   */
  async withDaysToEntry(
    summary: StudySummary,
    scopes: readonly Scope[],
    filter: StudyFilter = {},
  ): Promise<StudySummary> {
    if (this.options.schedule?.visitDate === undefined || !mayReadLogOfRecords(scopes)) return summary;
    const days = await this.#partOf(scopes, filter).daysToEntry.counts().catch(toGap);
    const dags = summary.dags.map((count) => ({ ...count, daysToEntry: days?.byDag.get(count.dag) ?? null }));
    return { ...summary, dags };
  }

  #partOf(scopes: readonly Scope[], filter: StudyFilter): StudyPart {
    if (isFiltered(filter) && !scopes.includes('records:read'))
      throw new InsufficientScopeError(['records:read']);
    const key = keyOf(filter);
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const { source, options, clock } = this;
    const part = {
      counts: this.#kept(() => countStudy(source, options, filter, clock), SUMMARY_MS),
      quality: this.#kept(() => countFindings(this.findings, clock, filter)),
      daysToEntry: this.#kept(() => medianDaysToEntry(source, options, filter, clock)),
    };
    this.#parts.set(key, part);
    return part;
  }

  #kept<Counts>(pass: () => Promise<Counts>, freshMs = COUNTS_MS): KeptCounts<Counts> {
    return new KeptCounts(pass, this.clock, freshMs);
  }

  /** Whether a caller is told small counts. */
  #mayKnow(scopes: readonly Scope[]): boolean {
    return scopes.includes('records:read') || this.#threshold <= 1;
  }

  #distribution(request: DistributionRequest): Promise<CountedField> {
    const key = `${request.field}\n${request.by ?? ''}\n${keyOf(request.filter ?? {})}`;
    const known = this.#distributions.get(key);
    if (known !== undefined) return known;
    const counted = countField(this.source, request, this.options, this.clock);
    this.#distributions.set(key, counted);
    counted.catch(() => this.#distributions.delete(key));
    return counted;
  }
}
