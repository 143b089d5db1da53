import type { QualityFinding } from '../quality/quality-finding.js';
import type { QualityRequest } from '../quality/quality-service.js';
import { QualityTally, type QualitySummary } from '../quality/quality-tally.js';

/** What finds what a study team may want to look at: `QualityService`. */
export interface FindingSource {
  findings(request: QualityRequest, call: { readonly caller: string }): AsyncIterable<QualityFinding>;
}

/** The counts, and when the pass over the records began. */
export interface DatedQualitySummary extends QualitySummary {
  /** ISO 8601. */
  readonly madeAt: string;
}

/** A pass reads every record: it is made this often at most. */
const FRESH_MS = 600_000;

/**
 * What the quality rules find, by rule: counted in one pass, shared by all who ask at the same time, and remembered. Memory: a
 * batch of records.
 */
export class QualityCounts {
  readonly #source: FindingSource;
  readonly #clock: () => Date;
  #known: DatedQualitySummary | undefined;
  #pending: Promise<DatedQualitySummary> | undefined;

  constructor(source: FindingSource, clock: () => Date = () => new Date()) {
    this.#source = source;
    this.#clock = clock;
  }

  /**
   * What is known, which may be ten minutes old, or older while it is counted anew; otherwise what the first pass will give.
   *
   * @throws {CrfError} what `QualityService.findings` throws, while nothing is known yet
   */
  async counts(): Promise<DatedQualitySummary> {
    const known = this.#known;
    const ageMs = known === undefined ? Infinity : this.#clock().getTime() - Date.parse(known.madeAt);
    if (known !== undefined && ageMs < FRESH_MS) return known;
    const pass = this.#count();
    if (known === undefined) return pass;
    pass.catch(() => undefined); // the old counts stand, and say when they were made
    return known;
  }

  /** Not cancelled with a request: others may wait for the same. */
  #count(): Promise<DatedQualitySummary> {
    this.#pending ??= this.#pass()
      .then((counts) => (this.#known = counts))
      .finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async #pass(): Promise<DatedQualitySummary> {
    const madeAt = this.#clock().toISOString();
    const tally = new QualityTally();
    const onRecords = (records: number): void => tally.setRecords(records);
    for await (const finding of this.#source.findings({ onRecords }, { caller: 'summary' }))
      tally.add(finding);
    return { ...tally.summary, madeAt };
  }
}
