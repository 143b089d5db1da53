import { QUALITY_RULES, type QualityFinding, type QualityRule } from '../../records/rules/quality-finding.js';

/** The result of a quality check in numbers. */
export interface QualitySummary {
  /** The number of records checked. */
  readonly records: number;
  readonly findings: number;
  /** The number of findings for each rule that was checked, including those without findings. */
  readonly rules: Readonly<Partial<Record<QualityRule, number>>>;
}

/** Counts findings by rule as they pass. */
export class QualityTally {
  readonly #rules: Map<QualityRule, number>;
  #records = 0;

  /** @param rules the rules that are checked; all by default */
  constructor(rules: readonly QualityRule[] = QUALITY_RULES) {
    this.#rules = new Map(QUALITY_RULES.filter((rule) => rules.includes(rule)).map((rule) => [rule, 0]));
  }

  add({ rule }: Pick<QualityFinding, 'rule'>): void {
    this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
  }

  /** Sets the number of records checked so far; see `QualityRequest.onRecords`. */
  setRecords(records: number): void {
    this.#records = records;
  }

  get summary(): QualitySummary {
    const findings = [...this.#rules.values()].reduce((sum, count) => sum + count, 0);
    return { records: this.#records, findings, rules: Object.fromEntries(this.#rules) };
  }
}
