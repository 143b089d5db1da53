import type { FlatRowPlan } from './flat-row-plan.js';

/** The plans for the most recent row shapes. */
export class FlatRowPlans {
  /** Most recently used first. */
  readonly #plans: FlatRowPlan[] = [];

  /** The plan that read the last row. */
  get last(): FlatRowPlan | undefined {
    return this.#plans[0];
  }

  /** @returns the offset at which the row ends, with details in `last`; -1 for a row that no plan can read */
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

/** Enough for base rows and a few repeating instruments. */
const MAX_PLANS = 4;
