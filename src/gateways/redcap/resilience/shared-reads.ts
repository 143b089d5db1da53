import { LRUCache } from 'lru-cache';
import { abortionOf } from '../cancellation.js';
import type { CallOptions } from '../call-options.js';
import type { Clock } from './clock.js';

/** The version of cached answers, for several processes that cache them. */
export interface CacheVersion {
  /**
   * @returns the current version; `undefined` if it cannot be read, in which case each process relies on the expiry
   *   time alone
   */
  current(): Promise<string | undefined>;
  /** Starts a new version, because cached answers may be outdated. Never fails. */
  renew(): Promise<void>;
}

interface Flight {
  readonly value: Promise<unknown>;
  readonly controller: AbortController;
  waiters: number;
  hasEnded: boolean;
}

/**
 * Shares reads of data that seldom changes: simultaneous identical reads make one call, and its answer is cached for a
 * short time. Failures are not cached. A cancelled waiter does not cancel the call, unless it was the last one.
 */
export class SharedReads {
  readonly #cache: LRUCache<string, { readonly value: unknown }>;
  /** The version of the cached answers. */
  #knownVersion: string | undefined;
  #flights = new Map<string, Flight>();

  /**
   * @param cacheMs how long an answer is cached; 0: nothing is cached or shared
   * @param version of the answers, if other processes change the project too
   */
  constructor(
    private readonly cacheMs: number,
    clock: Clock,
    private readonly version?: CacheVersion,
  ) {
    this.#cache = new LRUCache({
      max: MAX_ANSWERS,
      ttl: Math.max(1, cacheMs),
      ttlResolution: 0,
      perf: { now: () => clock.now() + 1 },
    });
  }

  /**
   * @param key identifies the read
   * @param load makes the call; its options belong to the one call that all waiters share
   */
  async get<Value>(
    key: string,
    { signal, caller, traceparent }: CallOptions,
    load: (options: CallOptions) => Promise<Value>,
  ): Promise<Value> {
    if (this.cacheMs === 0) return load({ signal, caller, traceparent });
    if (signal?.aborted) throw abortionOf(signal);
    if (this.version !== undefined) await this.#forgetOutdated(this.version);
    const known = this.#cache.get(key);
    // The key identifies the read, so the cached value has its type.
    if (known !== undefined) return known.value as Value;
    const flight = this.#flights.get(key) ?? this.#startFlight(key, caller, load);
    return (await this.#waitFor(flight, signal)) as Value;
  }

  /** Clears the cache. Calls in progress are not cached, and later readers do not share them. */
  clear(): void {
    this.#cache.clear();
    this.#flights = new Map();
  }

  /** Does the same as `clear` in all processes that share the version. */
  invalidate(): void | Promise<void> {
    this.clear();
    return this.version?.renew();
  }

  /** Runs on every read, so that a caller who has just written through another process reads what they wrote. */
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
    // A call that is being cancelled accepts no further waiters.
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

/** Rejects when the signal aborts. Stops listening when the call has ended. */
function abortion(signal: AbortSignal, { value }: Flight): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(abortionOf(signal));
    const forget = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    value.then(forget, forget);
  });
}

/** A bound, because reads of single fields and instruments can have any number of keys. */
const MAX_ANSWERS = 100;
