import { LRUCache } from 'lru-cache';
import { withoutTags } from '../../dictionary/without-tags.js';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import { loadProjectStructure } from '../../records/load-project-structure.js';
import { DistributionTally, kindOf, type GroupTally } from './distribution-tally.js';
import type { FieldDistribution } from './field-distribution.js';
import { histogramOf } from './number-figures.js';
import { QualityCounts, type DatedQualitySummary, type FindingSource } from './quality-counts.js';
import { readActivity, type ActivitySource, type StudyActivity } from './study-activity.js';
import { readRows } from './read-rows.js';
import { withoutSmallGroups, type DistributedField } from './small-distributions.js';
import { SummaryService, type SummarySource } from './summary-service.js';
import type { StudyOptions } from './study-options.js';
import type { StudySummary } from './study-summary.js';
import type { Scope } from '../../identifiers/scope.js';

/** Selects a distribution. */
export interface DistributionRequest {
  readonly field: string;
  readonly by?: 'site' | 'arm' | undefined;
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

/** How many distributions are cached, and for how long. */
const MOST_DISTRIBUTIONS = 50;
const REMEMBERED_MS = 60_000;
const ACTIVITY_MS = 600_000;
const DEFAULT_SMALL_CELL = 5;

/** The study in numbers, as far as the scopes of the caller allow. */
export class StudySummaries {
  readonly #source: SummarySource & ActivitySource;
  readonly #summary: SummaryService;
  readonly #quality: QualityCounts;
  readonly #threshold: number;
  readonly #clock: () => Date;
  readonly #distributions: LRUCache<string, Promise<CountedField>>;

  #activity: { readonly at: number; readonly days: Promise<StudyActivity> } | undefined;

  constructor(
    source: SummarySource & ActivitySource,
    quality: FindingSource,
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
    this.#quality = new QualityCounts(quality, clock);
    this.#summary = new SummaryService(source, options, clock);
    this.#threshold = options.smallCell ?? DEFAULT_SMALL_CELL;
  }

  /** @throws {CrfError} errors of `SummaryService.summary` */
  summary(scopes: readonly Scope[]): Promise<StudySummary> {
    return this.#summary.summary({ mayReadRecords: scopes.includes('records:read') });
  }

  /**
   * Returns the distribution of one field, computed in one pass over its column. Cached for a minute.
   *
   * @throws {InvalidRequestError} there is no such field, or it holds no data
   * @throws {CrfError} errors of `CrfClient.openRecords`
   */
  async distribution(request: DistributionRequest, scopes: readonly Scope[]): Promise<FieldDistribution> {
    const { distribution, ...field } = await this.#distribution(request);
    if (scopes.includes('records:read') || this.#threshold <= 1) return distribution;
    return withoutSmallGroups(distribution, field, await this.#summary.release());
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
  async quality(scopes: readonly Scope[]): Promise<DatedQualitySummary | undefined> {
    return scopes.includes('records:read') ? this.#quality.counts() : undefined;
  }

  #distribution(request: DistributionRequest): Promise<CountedField> {
    const key = `${request.field}\n${request.by ?? ''}`;
    const known = this.#distributions.get(key);
    if (known !== undefined) return known;
    const counted = this.#count(request);
    this.#distributions.set(key, counted);
    counted.catch(() => this.#distributions.delete(key));
    return counted;
  }

  async #count({ field: name, by }: DistributionRequest): Promise<CountedField> {
    const call = { caller: 'summary' };
    const structure = await loadProjectStructure(this.#source, call);
    const { dictionary } = structure;
    const field = dictionary.field(name);
    if (field === undefined || field === dictionary.recordIdField || field.type === 'descriptive')
      throw new InvalidRequestError([
        { field: 'field', message: 'is not a field of this project that holds data' },
      ]);

    const tally = new DistributionTally(structure, field, by);
    await readRows(
      this.#source,
      {
        fields: [dictionary.recordIdField?.name ?? name, name, `${field.instrument}_complete`],
        exportDataAccessGroups: by === 'site',
        exportBlankForGrayFormStatus: true,
      },
      tally,
      call,
    );
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
