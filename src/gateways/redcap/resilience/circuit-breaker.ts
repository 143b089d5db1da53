import { UpstreamUnavailableError } from '../../../errors/upstream-errors.js';
import type { Clock } from './clock.js';

export interface CircuitBreakerOptions {
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
}

/** What became of a call: REDCap answered (a refusal is an answer), REDCap failed, or the caller gave up. */
export type Outcome = 'answered' | 'failed' | 'abandoned';

/**
 * Leaves REDCap alone after failures in a row, then lets a single call probe it: while it is open, and while the
 * probe runs, every other call is refused at once.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #clock: Clock;
  #failures = 0;
  #openedAt: number | undefined;
  #probe: symbol | undefined;

  constructor(options: CircuitBreakerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** @throws {UpstreamUnavailableError} `circuit open`, with the seconds until the next probe */
  check(): void {
    if (this.#openedAt === undefined) return;
    const remainingMs = this.#openedAt + this.#options.breakerOpenMs - this.#clock.now();
    if (remainingMs <= 0 && this.#probe === undefined) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000));
    throw new UpstreamUnavailableError('circuit open', { retryAfterSeconds });
  }

  /**
   * Lets a call through, the first one after the pause as the probe.
   *
   * @returns what to say the outcome to; of a stream twice, when it has opened and when it fails later
   * @throws {UpstreamUnavailableError} `circuit open`
   */
  enter(): (outcome: Outcome) => void {
    this.check();
    const ticket = Symbol('call');
    const period = this.#openedAt;
    if (period !== undefined) this.#probe = ticket;
    return (outcome) => {
      if (this.#probe === ticket) this.#endProbe(outcome);
      // A call of before the circuit opened says nothing about now.
      else if (period === this.#openedAt) this.#count(outcome);
    };
  }

  #endProbe(outcome: Outcome): void {
    this.#probe = undefined;
    if (outcome === 'answered') {
      this.#openedAt = undefined;
      this.#failures = 0;
    } else if (outcome === 'failed') {
      this.#openedAt = this.#clock.now();
    }
  }

  #count(outcome: Outcome): void {
    if (outcome === 'answered') this.#failures = 0;
    if (outcome !== 'failed') return;
    this.#failures += 1;
    if (this.#options.breakerFailures > 0 && this.#failures >= this.#options.breakerFailures) {
      this.#openedAt = this.#clock.now();
    }
  }
}
