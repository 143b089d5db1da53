import { UpstreamUnavailableError } from '../../../domain/errors/upstream-errors.js';
import { afterReading, type Interceptor } from '../wire-call.js';
import { outcomeOf, type Outcome } from '../call-errors.js';
import type { InProgress } from './call-scope.js';
import type { Clock } from './clock.js';

export interface CircuitBreakerOptions {
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
}

/** Refuses calls while REDCap is failing. */
export interface Circuit {
  /** @throws {UpstreamUnavailableError} `circuit open`, with the seconds until the next probe */
  check(): void;
  /**
   * Lets a call through. After the pause, the first one is the probe.
   *
   * @returns a function to report the outcome with; for a stream it is called when the stream opens, and again if it
   *   fails later
   * @throws {UpstreamUnavailableError} `circuit open`
   */
  enter(): ReportOutcome;
}

/** Refuses a call while the circuit is open, before it waits for its turn. */
export function refuseWhileOpen(circuit: Circuit): Interceptor<InProgress> {
  return async (call, next) => {
    circuit.check();
    return next(call);
  };
}

/** Makes a call if the circuit lets it through, and reports its outcome to the circuit. */
export function breakCircuit(circuit: Circuit): Interceptor<InProgress> {
  return async (call, next) => {
    const report = circuit.enter();
    try {
      const value = await next(call);
      report('answered');
      afterReading(call, value, (error) => {
        if (error !== undefined) report(outcomeOf(error));
      });
      return value;
    } catch (error) {
      report(outcomeOf(error));
      throw error;
    }
  };
}

interface Probe {
  /** When another call may probe, by the clock. */
  readonly until: number;
}

export type ReportOutcome = (outcome: Outcome) => void;

/** How long a probe can run before another call may probe. An upload takes as long as its sender does. */
const PROBE_MS = 30_000;

/**
 * Stops calling REDCap after consecutive failures, then lets a single call probe it. While the circuit is open, and
 * while the probe runs, all other calls are refused immediately.
 */
export class CircuitBreaker implements Circuit {
  #failures = 0;
  #openedAt: number | undefined;
  #probe: Probe | undefined;

  constructor(
    private readonly options: CircuitBreakerOptions,
    private readonly clock: Clock,
  ) {}

  check(): void {
    if (this.#openedAt === undefined) return;
    const remainingMs = this.#openedAt + this.options.breakerOpenMs - this.clock.now();
    const isProbing = this.#probe !== undefined && this.#probe.until > this.clock.now();
    if (remainingMs <= 0 && !isProbing) return;
    const retryAfterSeconds = Math.max(1, Math.ceil(remainingMs / 1000));
    throw new UpstreamUnavailableError('circuit open', { retryAfterSeconds });
  }

  enter(): ReportOutcome {
    this.check();
    const period = this.#openedAt;
    const probe = period === undefined ? undefined : { until: this.clock.now() + PROBE_MS };
    this.#probe = probe;
    return (outcome) => {
      // A call from before the circuit opened does not show REDCap's present state.
      if (period !== this.#openedAt) return;
      if (probe === undefined) this.#count(outcome);
      else this.#endProbe(probe, outcome);
    };
  }

  #endProbe(probe: Probe, outcome: Outcome): void {
    if (outcome === 'answered') {
      this.#openedAt = undefined;
      this.#probe = undefined;
      this.#failures = 0;
      return;
    }
    // One that took too long has been replaced by another.
    if (this.#probe !== probe) return;
    this.#probe = undefined;
    if (outcome === 'failed') this.#openedAt = this.clock.now();
  }

  #count(outcome: Outcome): void {
    if (outcome === 'answered') this.#failures = 0;
    if (outcome !== 'failed') return;
    this.#failures += 1;
    if (this.options.breakerFailures > 0 && this.#failures >= this.options.breakerFailures)
      this.#openedAt = this.clock.now();
  }
}
