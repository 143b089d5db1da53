import type { Clock } from './clock.js';

export interface RetryBudgetOptions {
  readonly retryQuota: number;
  readonly retryReserve: number;
}

/**
 * Limits retries to a small part of all calls, so that a failing upstream does not get three times its load. Each call
 * earns a fraction of a retry. The reserve, which refills within a minute, is for clients that make few calls.
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

  /** Adds what one call earns. */
  earn(): void {
    this.#earned = Math.min(this.#earned + this.#options.retryQuota, MAX_EARNED);
  }

  /** Takes one retry from the budget. @returns whether one was available */
  spend(): boolean {
    this.#refill();
    // Sums of tenths can end up slightly below a whole number.
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

/** The cap that keeps a quiet day from saving up for a storm of retries. */
const MAX_EARNED = 50;
