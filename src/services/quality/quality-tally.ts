import { QUALITY_RULES, type QualityFinding, type QualityRule } from './quality-finding.js';

/** What a quality check found, in numbers. */
export interface QualitySummary {
  /** Records that were checked. */
  readonly records: number;
  readonly findings: number;
  /** How many findings there are of each rule that was checked, those of which there are none among them. */
  readonly rules: Readonly<Partial<Record<QualityRule, number>>>;
}

/** Counts findings by rule while they pass. */
export class QualityTally {
  readonly #rules: Map<QualityRule, number>;
  #records = 0;

  /** @param rules those that are checked; all by default */
  constructor(rules: readonly QualityRule[] = QUALITY_RULES) {
    this.#rules = new Map(QUALITY_RULES.filter((rule) => rules.includes(rule)).map((rule) => [rule, 0]));
  }

  add({ rule }: QualityFinding): void {
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
  }

  /** Takes how many records were checked so far: `QualityRequest.onRecords`. */
  setRecords(records: number): void {
    this.#records = records;
  }

  get summary(): QualitySummary {
    const findings = [...this.#rules.values()].reduce((sum, count) => sum + count, 0);
    return { records: this.#records, findings, rules: Object.fromEntries(this.#rules) };
  }
}
