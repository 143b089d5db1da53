import { LRUCache } from 'lru-cache';
import { withoutTags } from '../../domain/dictionary/without-tags.js';
import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import { InsufficientScopeError } from '../../domain/errors/access-errors.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { unknownName } from '../../domain/identifiers/nearest-name.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { DistributionTally, kindOf, type GroupTally } from './distribution-tally.js';
import type { FieldDistribution } from './field-distribution.js';
import { histogramOf } from './number-figures.js';
import { ChosenRecords, chosenEvents, isFiltered, type StudyFilter } from './chosen-records.js';
import { checkFilter } from './list-filter.js';
import { toGap } from '../../domain/errors/crf-error.js';
import { medianDaysToEntry, type DaysToEntry } from './days-to-entry.js';
import { KeptCounts } from './kept-counts.js';
import { QualityCounts, type DatedQualitySummary, type FindingSource } from './quality-counts.js';
import { readActivity, type ActivitySource, type StudyActivity } from './study-activity.js';
import { readRows, type RowSink } from './read-rows.js';
import { withoutSmallGroups, type DistributedField } from './small-distributions.js';
import { SummaryService } from './summary-service.js';
import { later } from './due-visits.js';
import type { ListSource } from './study-lists.js';
import { dateFieldOf, todayOf, type StudyOptions } from './study-options.js';
import type { StudySummary } from './study-summary.js';
import type { Scope } from '../../domain/identifiers/scope.js';

/** Selects a distribution. */
export interface DistributionRequest {
  readonly field: string;
  readonly by?: 'site' | 'arm' | undefined;
  readonly filter?: StudyFilter | undefined;
}

/** A field with a distribution. */
export interface ChoosableField {
  readonly name: string;
  readonly label: string;
}

/** A distribution with all counts. */
interface CountedField extends DistributedField {
  readonly distribution: FieldDistribution;
}

/** The figures of a part of the study. */
interface StudyPart {
  readonly summary: SummaryService;
  readonly quality: QualityCounts;
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
const ACTIVITY_MS = 600_000;
const DEFAULT_SMALL_CELL = 5;

function keyOf({ site, arm, event, from, to }: StudyFilter): string {
  return JSON.stringify([site, arm, event, from, to]);
}

function mayReadLogOfRecords(scopes: readonly Scope[]): boolean {
  return scopes.includes('records:read') && scopes.includes('logs:read');
}

/** The study in numbers, as far as the scopes of the caller allow. */
export class StudySummaries {
  readonly #source: ListSource & ActivitySource;
  readonly #findings: FindingSource;
  readonly #options: StudyOptions;
  /** The summary and the quality counts of each filter, by the text of the filter. */
  readonly #parts = new LRUCache<string, StudyPart>({ max: MOST_FILTERS });
  /** The counts of recent findings of each filter and day. */
  readonly #recent = new LRUCache<string, QualityCounts>({ max: MOST_FILTERS });
  readonly #threshold: number;
  readonly #clock: () => Date;
  readonly #distributions: LRUCache<string, Promise<CountedField>>;

  #activity: { readonly at: number; readonly days: Promise<StudyActivity> } | undefined;

  constructor(
    source: ListSource & ActivitySource,
    lists: FindingSource,
    options: StudyOptions = {},
    clock: () => Date = () => new Date(),
  ) {
    this.#source = source;
    this.#clock = clock;
    this.#distributions = new LRUCache({
      max: MOST_DISTRIBUTIONS,
      ttl: REMEMBERED_MS,
      ttlResolution: 0,
      perf: { now: () => clock().getTime() },
    });
    this.#findings = lists;
    this.#options = options;
    this.#threshold = options.smallCell ?? DEFAULT_SMALL_CELL;
  }

  /**
   * @param filter selects part of the study; only for callers who may read records, because figures of parts add up to
   *   small counts
   * @throws {InsufficientScopeError} the caller may not use a filter
   * @throws {InvalidRequestError} the filter selects what does not exist
   * @throws {CrfError} errors of `SummaryService.summary`
   */
  async summary(scopes: readonly Scope[], filter: StudyFilter = {}): Promise<StudySummary> {
    const { summary } = this.#partOf(scopes, filter);
    return summary.summary({ mayReadRecords: scopes.includes('records:read') });
  }

  /**
   * Returns when the summary could not be computed anew, in ISO 8601; undefined if it could the last time. An earlier
   * summary is still returned.
   *
   * @throws {InsufficientScopeError} the caller may not use a filter
   */
  failedAt(scopes: readonly Scope[], filter: StudyFilter = {}): string | undefined {
    return this.#partOf(scopes, filter).summary.failedAt;
  }

  /**
   * Returns the distribution of one field, computed in one pass over its column. Cached for a minute.
   *
   * @throws {InsufficientScopeError} the caller may not use a filter
   * @throws {InvalidRequestError} there is no such field, or it holds no data
   * @throws {CrfError} errors of `CrfClient.openRecords`
   */
  async distribution(request: DistributionRequest, scopes: readonly Scope[]): Promise<FieldDistribution> {
    const { summary } = this.#partOf(scopes, request.filter ?? {});
    const { distribution, ...field } = await this.#distribution(request);
    if (scopes.includes('records:read') || this.#threshold <= 1) return distribution;
    return withoutSmallGroups(distribution, field, await summary.release());
  }

  /** Returns the fields with a distribution in project order: choices and numbers, without identifiers. */
  async fields(): Promise<readonly ChoosableField[]> {
    const [, ...fields] = await this.#source.getMetadata({ caller: 'summary' });
    return fields
      .filter((field) => kindOf(field) !== 'presence')
      .map(({ name, label }) => ({ name, label: withoutTags(label) }));
  }

  /**
   * Returns the activity by day for callers who may read the log. Cached for ten minutes. REDCap logs that the log was
   * read.
   *
   * @returns undefined for other callers
   * @throws {CrfError} errors of `Logs.export`
   */
  async activity(scopes: readonly Scope[]): Promise<StudyActivity | undefined> {
    if (!scopes.includes('logs:read')) return undefined;
    const now = this.#clock().getTime();
    if (this.#activity === undefined || now - this.#activity.at > ACTIVITY_MS) {
      const days = readActivity(this.#source, new Date(now));
      this.#activity = { at: now, days };
      days.catch(() => (this.#activity = undefined));
    }
    return this.#activity.days;
  }

  /**
   * Returns the quality findings by rule for callers who may read records. Cached for ten minutes.
   *
   * @returns undefined for other callers
   * @throws {CrfError} errors of `QualityCounts.counts`
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
    const since = later(todayOf(this.#options, this.#clock), -RECENT_DAYS);
    const key = `${since}\n${keyOf(filter)}`;
    const counts =
      this.#recent.get(key) ??
      new QualityCounts(this.#findings, this.#clock, { ...filter, changedSince: since });
    this.#recent.set(key, counts);
    const found = await counts.counts().catch(toGap);
    return found && { ...found, since };
  }

  /**
   * Adds to the sites of a summary how many days pass until a visit is entered, for callers who may read records and the
   * log. Cached for ten minutes. REDCap logs that the log was read. If it cannot be read, nothing is added.
   *
   * @throws {InsufficientScopeError} the caller may not use a filter
   */
  async withDaysToEntry(
    summary: StudySummary,
    scopes: readonly Scope[],
    filter: StudyFilter = {},
  ): Promise<StudySummary> {
    if (this.#options.schedule?.visitDate === undefined || !mayReadLogOfRecords(scopes)) return summary;
    const days = await this.#partOf(scopes, filter).daysToEntry.counts().catch(toGap);
    const sites = summary.sites.map((site) => ({
      ...site,
      daysToEntry: days?.bySite.get(site.group) ?? null,
    }));
    return { ...summary, sites };
  }

  #partOf(scopes: readonly Scope[], filter: StudyFilter): StudyPart {
    if (isFiltered(filter) && !scopes.includes('records:read'))
      throw new InsufficientScopeError(['records:read']);
    const key = keyOf(filter);
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    const part = {
      summary: new SummaryService(this.#source, this.#options, this.#clock, filter),
      quality: new QualityCounts(this.#findings, this.#clock, filter),
      daysToEntry: new KeptCounts(
        () => medianDaysToEntry(this.#source, this.#options, filter, this.#clock),
        this.#clock,
      ),
    };
    this.#parts.set(key, part);
    return part;
  }

  /** Reads some columns of the records that a filter selects. */
  async #readChosen(
    sink: RowSink,
    fields: readonly string[],
    filter: StudyFilter,
    structure: ProjectStructure,
    call: CallOptions,
    isBySite = false,
  ): Promise<void> {
    const isPart = isFiltered(filter);
    const dateField = dateFieldOf(structure, this.#options)?.name;
    const chosen = isPart ? new ChosenRecords(sink, filter, structure, dateField) : undefined;
    const selection = {
      fields: [...new Set([...fields, ...(isPart && dateField !== undefined ? [dateField] : [])])],
      exportDataAccessGroups: isBySite || isPart,
      exportBlankForGrayFormStatus: true,
    };
    await readRows(this.#source, selection, chosen ?? sink, call);
    chosen?.end();
  }

  #distribution(request: DistributionRequest): Promise<CountedField> {
    const key = `${request.field}\n${request.by ?? ''}\n${keyOf(request.filter ?? {})}`;
    const known = this.#distributions.get(key);
    if (known !== undefined) return known;
    const counted = this.#count(request);
    this.#distributions.set(key, counted);
    counted.catch(() => this.#distributions.delete(key));
    return counted;
  }

  async #count({ field: name, by, filter = {} }: DistributionRequest): Promise<CountedField> {
    const call = { caller: 'summary' };
    const structure = await loadProjectStructure(this.#source, call);
    const { dictionary } = structure;
    const field = dictionary.field(name);
    if (field === undefined || field === dictionary.recordIdField || field.type === 'descriptive')
      throw new InvalidRequestError([
        unknownName(
          'data_field',
          'field',
          name,
          dictionary.fields.map((other) => other.name),
        ),
      ]);

    checkFilter(filter, structure);
    const tally = new DistributionTally(structure, field, by, chosenEvents(filter, structure));
    const columns = [dictionary.recordIdField?.name ?? name, name, `${field.instrument}_complete`];
    await this.#readChosen(tally, columns, filter, structure, call, by === 'site');
    const kind = kindOf(field);
    const choices =
      kind === 'choices'
        ? dictionary.choices(field).map(({ code, label }) => ({ code, label: withoutTags(label) }))
        : [];
    const distribution: FieldDistribution = {
      ...tally.total.figures(choices),
      madeAt: this.#clock().toISOString(),
      smallCell: 0,
      field: name,
      label: withoutTags(field.label),
      instrument: field.instrument,
      kind,
      bins: kind === 'numbers' ? histogramOf(tally.total.numbers.sorted()) : [],
      by: by ?? null,
      groups: await this.#groupsOf(tally.groups, choices, by),
    };
    return {
      distribution,
      isCheckbox: field.type === 'checkbox',
      mayBeHidden: field.branchingLogic.trim() !== '',
    };
  }

  async #groupsOf(
    groups: ReadonlyMap<string, GroupTally>,
    choices: Parameters<GroupTally['figures']>[0],
    by: DistributionRequest['by'],
  ): Promise<FieldDistribution['groups']> {
    const labels = new Map(
      by === 'site'
        ? (await this.#source.dags.export().catch(() => [])).map(({ uniqueName, name }) => [uniqueName, name])
        : [],
    );
    const labelOf = (group: string): string =>
      by === 'arm' ? `Arm ${group}` : (labels.get(group) ?? (group === '' ? 'No group' : group));
    return [...groups]
      .map(([group, tally]) => ({ group, label: labelOf(group), ...tally.figures(choices) }))
      .sort((one, other) => one.label.localeCompare(other.label, 'en'));
  }
}
