import { CrfError } from '../../../domain/errors/crf-error.js';
import type { PartOptions } from '../call-options.js';
import { mayHaveArrived, isOurOwnRefusal, mayRetry } from '../call-errors.js';
import type { Interceptor } from '../wire-call.js';
import type { InProgress } from './call-scope.js';
import type { Clock } from './clock.js';
import type { ResilienceOptions } from './resilience-options.js';

/** Makes a call again after a failure, if that is safe, worth it, and within the budget. */
export function retry(options: ResilienceOptions, clock: Clock): Interceptor<InProgress> {
  const budget = new RetryBudget(options, clock);

  /**
   * Returns a random part of a span that doubles with each retry, or what `Retry-After` asks for if that is longer;
   * `undefined` for no retry. Only an operation that is under way waits longer than `retryMaxMs`: other callers are told
   * at once how long it will take.
   */
  const pauseBefore = (
    error: CrfError,
    { cancellation: scope, isContinuation = false, retries }: PartOptions & InProgress,
  ): number | undefined => {
    const { maxRetries, retryBaseMs, retryMaxMs } = options;
    if (retries >= maxRetries || scope.error !== undefined) return undefined;
    const spanMs = Math.min(retryMaxMs, retryBaseMs * 2 ** retries);
    const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
    if (askedMs > retryMaxMs && !isContinuation) return undefined;
    const pauseMs = Math.max(clock.random() * spanMs, askedMs);
    return pauseMs < scope.remainingMs && budget.spend() ? pauseMs : undefined;
  };

  return async (call, next) => {
    budget.earn();
    let earlier: CrfError | undefined;
    for (let retries = 0; ; retries += 1) {
      try {
        return await next({ ...call, retries });
      } catch (error) {
        // If there is no turn for a retry, the reason for the retry is the more useful error.
        if (earlier !== undefined && isOurOwnRefusal(error)) throw earlier;
        if (!(error instanceof CrfError)) throw error;
        if (call.isRepeatable) error.isInDoubt = mayHaveArrived(earlier);
        const pauseMs = mayRetry(error, call) ? pauseBefore(error, { ...call, retries }) : undefined;
        if (pauseMs === undefined) throw error;
        earlier = error;
        await call.cancellation.sleep(pauseMs);
      }
    }
  };
}

export interface RetryBudgetOptions {
  readonly retryQuota: number;
  readonly retryReserve: number;
}

/**
 * Limits retries to a small part of all calls, so that a failing upstream does not get three times its load. Each call
 * earns a fraction of a retry. The reserve, which refills within a minute, is for clients that make few calls.
 */
export class RetryBudget {
  #reserve: number;
  #earned = 0;
  #refilledAt: number;

  constructor(
    private readonly options: RetryBudgetOptions,
    private readonly clock: Clock,
  ) {
    this.#reserve = options.retryReserve;
    this.#refilledAt = clock.now();
  }

  /** Adds what one call earns. */
  earn(): void {
    this.#earned = Math.min(this.#earned + this.options.retryQuota, MAX_EARNED);
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
    const now = this.clock.now();
    const back = ((now - this.#refilledAt) / 60_000) * this.options.retryReserve;
    this.#reserve = Math.min(this.#reserve + back, this.options.retryReserve);
    this.#refilledAt = now;
  }
}

/** The cap that keeps a quiet day from saving up for a storm of retries. */
const MAX_EARNED = 50;
