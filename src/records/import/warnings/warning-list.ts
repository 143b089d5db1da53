import type { ImportWarning, ImportWarningList, WarningCounts } from './import-warning.js';

const MAX_NAMED = 100;

/** Collects the warnings of one import: the number for each rule, and the first hundred. */
export class WarningList {
  readonly #rules: WarningCounts = {
    hidden_value: 0,
    required_empty: 0,
    other_arm: 0,
    out_of_range: 0,
    invalid_value: 0,
  };
  readonly #first: ImportWarning[] = [];

  /** @param listener called for each warning */
  constructor(private readonly listener?: (warning: ImportWarning) => void) {}

  /** Undefined when nothing was noticed. */
  get list(): ImportWarningList | undefined {
    const count = Object.values(this.#rules).reduce((sum, number) => sum + number, 0);
    if (count === 0) return undefined;
    return { count, rules: { ...this.#rules }, first: this.#first.toSorted((a, b) => a.row - b.row) };
  }

  add(warning: ImportWarning): void {
    this.#rules[warning.rule] = (this.#rules[warning.rule] ?? 0) + 1;
    if (this.#first.length < MAX_NAMED) this.#first.push(warning);
    this.listener?.(warning);
  }
}
