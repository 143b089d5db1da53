import { UpstreamUnavailableError } from '../../../errors/upstream-errors.js';
import type { Clock } from './clock.js';

export interface CircuitBreakerOptions {
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
}

/** What became of a call: REDCap answered (a refusal is an answer), REDCap failed, or the caller gave up. */
export type Outcome = 'answered' | 'failed' | 'abandoned';

/** Stands between the calls and a REDCap that fails. In memory at once, in a shared store with a promise. */
export interface Circuit {
  /** @throws {UpstreamUnavailableError} `circuit open`, with the seconds until the next probe */
  check(): void | Promise<void>;
  /**
   * Lets a call through, the first one after the pause as the probe.
   *
   * @returns what to say the outcome to; of a stream twice, when it has opened and when it fails later
   * @throws {UpstreamUnavailableError} `circuit open`
   */
  enter(): ReportOutcome | Promise<ReportOutcome>;
}

export type ReportOutcome = (outcome: Outcome) => void;

/** The refusal of an open circuit. @param waitMs until the next probe */
export function circuitOpenError(waitMs: number): UpstreamUnavailableError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new UpstreamUnavailableError('circuit open', { retryAfterSeconds });
}

/**
 * Leaves REDCap alone after failures in a row, then lets a single call probe it: while it is open, and while the
 * probe runs, every other call is refused at once.
 */
export class CircuitBreaker implements Circuit {
  /** Is called each time the circuit opens. */
  onOpen: () => void = () => undefined;
  readonly #options: CircuitBreakerOptions;
  readonly #clock: Clock;
  #failures = 0;
  #openedAt: number | undefined;
  #probe: symbol | undefined;

  constructor(options: CircuitBreakerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  check(): void {
    if (this.#openedAt === undefined) return;
    const remainingMs = this.#openedAt + this.#options.breakerOpenMs - this.#clock.now();
    if (remainingMs <= 0 && this.#probe === undefined) return;
    throw circuitOpenError(remainingMs);
  }

  enter(): ReportOutcome {
    this.check();
    return this.#letThrough();
  }

  /** Lets a call through as the probe, whatever this breaker knows: somebody else has decided. */
  enterAsProbe(): ReportOutcome {
    this.#openedAt ??= this.#clock.now();
    return this.#letThrough();
  }

  /** Whether calls are refused, or one of them probes. */
  get isOpen(): boolean {
    return this.#openedAt !== undefined;
  }

  /** Somebody else's probe was answered. */
  close(): void {
    this.#openedAt = undefined;
    this.#probe = undefined;
    this.#failures = 0;
  }

  #letThrough(): ReportOutcome {
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
    if (outcome === 'answered') this.close();
    else if (outcome === 'failed') this.#open();
  }

  #count(outcome: Outcome): void {
    if (outcome === 'answered') this.#failures = 0;
    if (outcome !== 'failed') return;
    this.#failures += 1;
    if (this.#options.breakerFailures > 0 && this.#failures >= this.#options.breakerFailures) {
      this.#open();
    }
  }

  #open(): void {
    this.#openedAt = this.#clock.now();
    this.onOpen();
  }
}
