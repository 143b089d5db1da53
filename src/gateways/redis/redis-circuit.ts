import type { Outcome } from '../redcap/resilience/call-errors.js';
import { SharedStateUnavailableError } from '../../domain/errors/operator-errors.js';
import {
  circuitOpenError,
  PROBE_MS,
  type Circuit,
  type CircuitBreaker,
} from '../redcap/resilience/circuit-breaker.js';
import type { RedisConnection } from './redis-connection.js';
import type { SharedNames } from './shared-names.js';

/** How long a circuit is remembered that is not probed. */
const REMEMBERED_MS = 60 * 60 * 1000;

// KEYS: open, exists while no calls are allowed; broken, exists until a probe has succeeded; probe, the ticket of the
// probing call.

/** Returns for how many milliseconds calls are refused, -1 for a closed circuit, 0 if this call is the probe. */
const ENTER = `
local left = redis.call('PTTL', KEYS[1])
if left > 0 then return left end
if redis.call('EXISTS', KEYS[2]) == 0 then return -1 end
if ARGV[1] == '' then
  if redis.call('EXISTS', KEYS[3]) == 1 then return 1 end
  return 0
end
if redis.call('SET', KEYS[3], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
return 1
`;

const OPEN = `
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[1] + ARGV[2])
return redis.call('DEL', KEYS[3])
`;

const CLOSE = `return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])`;

const GIVE_UP_PROBE = `
if redis.call('GET', KEYS[3]) == ARGV[1] then return redis.call('DEL', KEYS[3]) end
return 0
`;

export interface RedisCircuitOptions {
  readonly breakerOpenMs: number;
  /** Counts the failures of this process, and decides alone during a Redis outage. */
  readonly local: CircuitBreaker;
  readonly processId: string;
}

/**
 * The circuit breaker in front of REDCap for all replicas together. A circuit that one process opens is open for all,
 * and only one call of all processes probes. Each process counts its own failures.
 */
export class RedisCircuit implements Circuit {
  readonly #keys: readonly string[];
  #tickets = 0;

  constructor(
    private readonly connection: RedisConnection,
    names: SharedNames,
    private readonly options: RedisCircuitOptions,
  ) {
    this.#keys = ['circuit-open', 'circuit-broken', 'circuit-probe'].map((kind) => names.keyOf(kind));
    options.local.onOpen = () => this.#runInBackground(OPEN, [options.breakerOpenMs, REMEMBERED_MS]);
  }

  async check(): Promise<void> {
    const waitMs = await this.#ask('');
    if (waitMs === undefined) this.options.local.check();
    else if (waitMs > 0) throw circuitOpenError(waitMs);
  }

  async enter(): Promise<(outcome: Outcome) => void> {
    const { local, processId } = this.options;
    const ticket = `${processId}.${(this.#tickets += 1)}`;
    const waitMs = await this.#ask(ticket);
    if (waitMs === undefined) return local.enter();
    if (waitMs > 0) throw circuitOpenError(waitMs);
    // The shared state takes precedence over that of this process.
    if (waitMs === -1 && local.isOpen) local.close();
    const report = waitMs === 0 ? local.enterAsProbe() : local.enter();
    return waitMs === 0 ? this.#probeReport(ticket, report) : report;
  }

  /**
   * Reports the first outcome of a probe to the shared circuit. A stream that fails later counts as an ordinary
   * failure.
   */
  #probeReport(ticket: string, report: (outcome: Outcome) => void): (outcome: Outcome) => void {
    let isOver = false;
    return (outcome) => {
      report(outcome);
      if (isOver) return;
      isOver = true;
      if (outcome === 'answered') this.#runInBackground(CLOSE, []);
      if (outcome === 'abandoned') this.#runInBackground(GIVE_UP_PROBE, [ticket]);
      // A failed probe has opened the circuit again, which `onOpen` has already shared.
    };
  }

  /** @returns milliseconds; `undefined` during a Redis outage */
  async #ask(ticket: string): Promise<number | undefined> {
    try {
      return Number(await this.connection.run(ENTER, this.#keys, [ticket, PROBE_MS]));
    } catch (error) {
      if (error instanceof SharedStateUnavailableError) return undefined;
      throw error;
    }
  }

  /** Runs a script without waiting for it or repeating it. During a Redis outage each process uses its own circuit. */
  #runInBackground(script: string, values: readonly (string | number)[]): void {
    this.connection.run(script, this.#keys, values).catch(() => undefined);
  }
}
