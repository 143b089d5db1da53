import { QualityTally, type QualitySummary } from '../quality/quality-tally.js';
import type { ListFilter } from './list-filter.js';
import type { StudyLists } from './study-lists.js';

/** Provides the findings of a part of the study. */
export type FindingSource = Pick<StudyLists, 'findings'>;

/** The counts, and when the pass over the records began. */
export interface DatedQualitySummary extends QualitySummary {
  /** ISO 8601. */
  readonly madeAt: string;
  /** The number of findings by unique name of the data access group, of those that have any. */
  readonly bySite: ReadonlyMap<string, number>;
}

/** Minimum time between two passes, because a pass reads every record. */
const FRESH_MS = 600_000;

/**
 * Counts quality findings by rule in one pass. The result is shared by concurrent requests and cached. Memory: a batch
 * of records.
 */
export class QualityCounts {
  readonly #source: FindingSource;
  readonly #clock: () => Date;
  readonly #filter: ListFilter;
  #known: DatedQualitySummary | undefined;
  #pending: Promise<DatedQualitySummary> | undefined;

  /** @param filter selects findings; all of the study by default */
  constructor(source: FindingSource, clock: () => Date = () => new Date(), filter: ListFilter = {}) {
    this.#source = source;
    this.#filter = filter;
    this.#clock = clock;
  }

  /**
   * Returns the cached counts. They may be ten minutes old, or older while a new pass is running. Without cached
   * counts, waits for the first pass.
   *
   * @throws {CrfError} errors of `StudyLists.findings`, while there are no cached counts
   */
  async counts(): Promise<DatedQualitySummary> {
    const known = this.#known;
    const ageMs = known === undefined ? Infinity : this.#clock().getTime() - Date.parse(known.madeAt);
    if (known !== undefined && ageMs < FRESH_MS) return known;
    const pass = this.#count();
    if (known === undefined) return pass;
    pass.catch(() => undefined); // the old counts remain valid and state when they were made
    return known;
  }

  /**
   * Starts a pass, or joins the running one. It is not cancelled with a request, because others may wait for its
   * result.
   */
  #count(): Promise<DatedQualitySummary> {
    this.#pending ??= this.#pass()
      .then((counts) => (this.#known = counts))
      .finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #pass(): Promise<DatedQualitySummary> {
    const madeAt = this.#clock().toISOString();
    const tally = new QualityTally();
    const bySite = new Map<string, number>();
    let records = 0;
    const onRecord = (): void => tally.setRecords(++records);
    for await (const finding of this.#source.findings(this.#filter, { caller: 'summary' }, onRecord)) {
      tally.add(finding);
      if (finding.record !== '') bySite.set(finding.site, (bySite.get(finding.site) ?? 0) + 1);
    }
    return { ...tally.summary, madeAt, bySite };
  }
}
