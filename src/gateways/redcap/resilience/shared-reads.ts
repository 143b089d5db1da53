import { LRUCache } from 'lru-cache';
import { abortionOf } from '../cancellation.js';
import type { CallOptions } from '../call-options.js';
import type { CacheVersion } from './cache-version.js';
import type { Clock } from './clock.js';

interface Flight {
  readonly value: Promise<unknown>;
  readonly controller: AbortController;
  waiters: number;
  hasEnded: boolean;
}

/**
 * Shares reads of what seldom changes: the same question asked at once is one call, and its answer is remembered for a
 * short time. Failures are not remembered. A waiter that leaves does not take the call with it, unless it was the last.
 */
export class SharedReads {
  readonly #cacheMs: number;
  readonly #cache: LRUCache<string, { readonly value: unknown }>;
  readonly #version: CacheVersion | undefined;
  /** Of what is remembered. */
  #knownVersion: string | undefined;
  #flights = new Map<string, Flight>();

  /**
   * @param cacheMs how long an answer is remembered; 0: each question is a call of its own
   * @param version of the answers, where other processes change the project too
   */
  constructor(cacheMs: number, clock: Clock, version?: CacheVersion) {
    this.#cacheMs = cacheMs;
    this.#version = version;
    this.#cache = new LRUCache({
      max: MAX_ANSWERS,
      ttl: Math.max(1, cacheMs),
      ttlResolution: 0,
      perf: { now: () => clock.now() + 1 },
    });
  }

  /**
   * @param key the same for the same question
   * @param load asks it; its options are for the one call that all waiters share
   */
  async get<Value>(
    key: string,
    { signal, caller }: CallOptions,
    load: (options: CallOptions) => Promise<Value>,
  ): Promise<Value> {
    if (this.#cacheMs === 0) return load({ signal, caller });
    if (signal?.aborted) throw abortionOf(signal);
    if (this.#version !== undefined) await this.#forgetOutdated(this.#version);
    const known = this.#cache.get(key);
    // The key holds the question, so what is under it is the answer to it.
    if (known !== undefined) return known.value as Value;
    const flight = this.#flights.get(key) ?? this.#startFlight(key, caller, load);
    return (await this.#waitFor(flight, signal)) as Value;
  }

  /** Forgets every answer; what is being asked now is not remembered either, nor given to whoever asks from now on. */
  clear(): void {
    this.#cache.clear();
    this.#flights = new Map();
  }

  /** As `clear`, in all processes that share the version. */
  invalidate(): void | Promise<void> {
    this.clear();
    return this.#version?.renew();
  }

  /** Asked each time: whoever has just written through another process reads what they wrote. */
  async #forgetOutdated(version: CacheVersion): Promise<void> {
    const current = await version.current();
    if (current === undefined || current === this.#knownVersion) return;
    this.clear();
    this.#knownVersion = current;
  }

  #startFlight(
    key: string,
    caller: string | undefined,
    load: (options: CallOptions) => Promise<unknown>,
  ): Flight {
    const controller = new AbortController();
    const flights = this.#flights;
    const value = load({ signal: controller.signal, caller });
    const flight: Flight = { value, controller, waiters: 0, hasEnded: false };
    flights.set(key, flight);
    const end = (): void => {
      flight.hasEnded = true;
      if (flights.get(key) === flight) flights.delete(key);
    };
    value.then((answer) => {
      if (this.#flights === flights) this.#cache.set(key, { value: answer });
      end();
    }, end);
    // Nobody joins a call that is being cancelled.
    controller.signal.addEventListener('abort', end, { once: true });
    return flight;
  }

  async #waitFor(flight: Flight, signal: AbortSignal | undefined): Promise<unknown> {
    flight.waiters += 1;
    try {
      return await (signal === undefined
        ? flight.value
        : Promise.race([flight.value, abortion(signal, flight)]));
    } finally {
      flight.waiters -= 1;
      if (flight.waiters === 0 && !flight.hasEnded) flight.controller.abort();
    }
  }
}

/** Rejects when the signal aborts; is forgotten when the flight has ended. */
function abortion(signal: AbortSignal, { value }: Flight): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(abortionOf(signal));
    const forget = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    value.then(forget, forget);
  });
}

/** Questions about single fields and instruments differ without end. */
const MAX_ANSWERS = 100;
