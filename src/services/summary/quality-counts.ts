import type { QualityFinding } from '../../records/rules/quality-finding.js';
import type { QualityRequest } from '../quality/quality-service.js';
import { QualityTally, type QualitySummary } from '../quality/quality-tally.js';

/** Provides quality findings; implemented by `QualityService`. */
export interface FindingSource {
  findings(request: QualityRequest, call: { readonly caller: string }): AsyncIterable<QualityFinding>;
}

/** The counts, and when the pass over the records began. */
export interface DatedQualitySummary extends QualitySummary {
  /** ISO 8601. */
  readonly madeAt: string;
}

/** Selects findings by record and event. */
export interface ChosenFindings {
  readonly records: ReadonlySet<string>;
  /** All events if undefined. */
  readonly events: ReadonlySet<string> | undefined;
}

function isOf({ records, events }: ChosenFindings, { record, event }: QualityFinding): boolean {
  return records.has(record) && events?.has(event) !== false;
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
  readonly #choose: (() => Promise<ChosenFindings>) | undefined;
  #known: DatedQualitySummary | undefined;
  #pending: Promise<DatedQualitySummary> | undefined;

  /** @param choose finds out which findings to count; all of them by default */
  constructor(
    source: FindingSource,
    clock: () => Date = () => new Date(),
    choose?: () => Promise<ChosenFindings>,
  ) {
    this.#source = source;
    this.#choose = choose;
    this.#clock = clock;
  }

  /**
   * Returns the cached counts. They may be ten minutes old, or older while a new pass is running. Without cached
   * counts, waits for the first pass.
   *
   * @throws {CrfError} errors of `QualityService.findings`, while there are no cached counts
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
    const chosen = await this.#choose?.();
    const onRecords = (records: number): void => tally.setRecords(chosen?.records.size ?? records);
    for await (const finding of this.#source.findings({ onRecords }, { caller: 'summary' }))
      if (chosen === undefined || isOf(chosen, finding)) tally.add(finding);
    return { ...tally.summary, madeAt };
  }
}
