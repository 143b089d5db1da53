import { QUALITY_RULES, type QualityFinding, type QualityRule } from '../../records/rules/quality-finding.js';

/** The number of findings. */
export interface QualitySummary {
  /**
   * The number of records that were checked.
   * @isInt
   */
  readonly records: number;
  /** @isInt */
  readonly findings: number;
  /** The number of findings for each rule that was checked. */
  readonly rules: QualityCounts;
}

/** The number of findings by rule. A rule that was not requested is absent. */
export interface QualityCounts {
  /** @isInt */
  readonly invalid_value?: number;
  /** @isInt */
  readonly out_of_range?: number;
  /** @isInt */
  readonly required_empty?: number;
  /** @isInt */
  readonly hidden_value?: number;
  /** @isInt */
  readonly stale_calculation?: number;
  /** @isInt */
  readonly contradicting_status?: number;
  /** @isInt */
  readonly not_checked?: number;
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
