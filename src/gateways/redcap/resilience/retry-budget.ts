import type { Clock } from './clock.js';

export interface RetryBudgetOptions {
  readonly retryQuota: number;
  readonly retryReserve: number;
}

/**
 * Keeps retries a small part of all calls: an upstream that is down must not get three times its load. Each call
 * earns a part of a retry; the reserve, which comes back within a minute, is for those who call seldom.
 */
export class RetryBudget {
  readonly #options: RetryBudgetOptions;
  readonly #clock: Clock;
  #reserve: number;
  #earned = 0;
  #refilledAt: number;

  constructor(options: RetryBudgetOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#reserve = options.retryReserve;
    this.#refilledAt = clock.now();
  }

  /** A call was made. */
  earn(): void {
    this.#earned = Math.min(this.#earned + this.#options.retryQuota, MAX_EARNED);
  }

  /** Takes one retry out of the budget. @returns whether there was one */
  spend(): boolean {
    this.#refill();
    // Sums of tenths come out a hair below the whole.
    if (this.#earned >= 1 - 1e-9) this.#earned -= 1;
    else if (this.#reserve >= 1 - 1e-9) this.#reserve -= 1;
    else return false;
    return true;
  }

  #refill(): void {
    const now = this.#clock.now();
    const back = ((now - this.#refilledAt) / 60_000) * this.#options.retryReserve;
    this.#reserve = Math.min(this.#reserve + back, this.#options.retryReserve);
    this.#refilledAt = now;
  }
}

/** A quiet day must not save up for a storm of retries. */
const MAX_EARNED = 50;
