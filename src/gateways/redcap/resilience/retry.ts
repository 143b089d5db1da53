import { CrfError } from '../../../errors/crf-error.js';
import { mayHaveArrived } from '../may-have-arrived.js';
import type { Interceptor } from '../wire-call.js';
import { isOurOwnRefusal, mayRetry } from './call-errors.js';
import type { CallScope, InProgress } from './call-scope.js';
import type { Clock } from './clock.js';
import type { ResilienceOptions } from './resilience-options.js';
import { RetryBudget } from './retry-budget.js';

/** Makes a call again after a failure, if that is safe, worth it, and within the budget. */
export function retry(options: ResilienceOptions, clock: Clock): Interceptor<InProgress> {
  const budget = new RetryBudget(options, clock);

  /**
   * Returns a random part of a span that doubles with each retry, or what `Retry-After` asks for if that is longer;
   * `undefined` for no retry.
   */
  const pauseBefore = (error: CrfError, retries: number, scope: CallScope): number | undefined => {
    const { maxRetries, retryBaseMs, retryMaxMs } = options;
    if (retries >= maxRetries || scope.error !== undefined) return undefined;
    const spanMs = Math.min(retryMaxMs, retryBaseMs * 2 ** retries);
    const pauseMs = Math.max(clock.random() * spanMs, (error.retryAfterSeconds ?? 0) * 1000);
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
        const pauseMs = mayRetry(error, call) ? pauseBefore(error, retries, call.cancellation) : undefined;
        if (pauseMs === undefined) throw error;
        earlier = error;
        await call.cancellation.sleep(pauseMs);
      }
    }
  };
}
