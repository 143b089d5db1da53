import type { FlatRowPlan } from './flat-row-plan.js';

/** The plans for the shapes of rows that were met last. */
export class FlatRowPlans {
  /** The one that served last comes first. */
  readonly #plans: FlatRowPlan[] = [];

  /** The plan that has read the last row. */
  get last(): FlatRowPlan | undefined {
    return this.#plans[0];
  }

  /** @returns where the row ends, of which `last` knows more then; -1 for a row that no plan reads */
  read(bytes: Buffer, from: number): number {
    const plans = this.#plans;
    for (let index = 0; index < plans.length; index++) {
      const end = (plans[index] as FlatRowPlan).read(bytes, from);
      if (end === -1) continue;
      if (index > 0) plans.unshift(...plans.splice(index, 1));
      return end;
    }
    return -1;
  }

  add(plan: FlatRowPlan): void {
    this.#plans.unshift(plan);
    if (this.#plans.length > MAX_PLANS) this.#plans.pop();
  }
}

/** Base rows and those of a few repeating instruments. */
const MAX_PLANS = 4;
