import { OverloadedError } from '../../../errors/operator-errors.js';
import type { Interceptor } from '../wire-call.js';
import type { InProgress } from './call-scope.js';
import type { Clock } from './clock.js';

/** Counts calls to REDCap and refuses those above the limit. Synchronous in memory, asynchronous in a shared store. */
export interface CallCeiling {
  /**
   * Counts a call.
   *
   * @param isProbe never refused: probes are at least a few seconds apart, and a full minute does not mean that REDCap
   *   is down
   * @throws {OverloadedError} the minute is full; names the seconds until there is room
   */
  take(caller: string | undefined, isProbe?: boolean): void | Promise<void>;
  /** Returns the number of calls counted in the last minute. */
  used(): number | Promise<number>;
}

/** Makes a call if the minute has room for it. */
export function countCalls(ceiling: CallCeiling): Interceptor<InProgress> {
  return async (call, next) => {
    await ceiling.take(call.caller, call.isProbe);
    return next(call);
  };
}

/**
 * Counts the calls of the last minute exactly, to stay below REDCap's own limit: REDCap bans an address that exceeds it
 * until an administrator lifts the ban. A named caller gets at most nine tenths of the calls, so that the others are
 * still served.
 *
 * @see docs/protocol/redcap.md 1.10 (doc)
 */
export class MinuteCeiling implements CallCeiling {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #replicas: () => number;
  readonly #calls: { readonly at: number; readonly caller: string | undefined }[] = [];
  readonly #countOf = new Map<string, number>();

  /**
   * @param limit calls in any minute; 0 for no ceiling
   * @param replicas the number of processes that currently share the limit; one by default
   */
  constructor(limit: number, clock: Clock, replicas: () => number = () => 1) {
    this.#limit = limit;
    this.#clock = clock;
    this.#replicas = replicas;
  }

  take(caller: string | undefined, isProbe = false): void {
    if (this.#limit === 0) return;
    const now = this.#clock.now();
    this.#forgetBefore(now - MINUTE_MS);
    const limit = Math.max(1, Math.floor(this.#limit / this.#replicas()));
    const share = Math.max(1, Math.floor(limit * NAMED_SHARE));
    const isOverShare = caller !== undefined && (this.#countOf.get(caller) ?? 0) >= share;
    if (!isProbe && (isOverShare || this.#calls.length >= limit))
      throw this.#refusal(now, isOverShare ? caller : undefined);
    this.#calls.push({ at: now, caller });
    if (caller !== undefined) this.#countOf.set(caller, (this.#countOf.get(caller) ?? 0) + 1);
  }

  used(): number {
    this.#forgetBefore(this.#clock.now() - MINUTE_MS);
    return this.#calls.length;
  }

  #refusal(now: number, caller: string | undefined): OverloadedError {
    const first = this.#calls.find((call) => caller === undefined || call.caller === caller);
    const waitMs = first === undefined ? MINUTE_MS : first.at + MINUTE_MS - now;
    return new OverloadedError({ retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }

  #forgetBefore(moment: number): void {
    const kept = this.#calls.findIndex((call) => call.at > moment);
    for (const { caller } of this.#calls.splice(0, kept === -1 ? this.#calls.length : kept)) {
      if (caller === undefined) continue;
      const count = (this.#countOf.get(caller) ?? 1) - 1;
      if (count === 0) this.#countOf.delete(caller);
      else this.#countOf.set(caller, count);
    }
  }
}

const MINUTE_MS = 60_000;
/** The share of the ceiling that one named caller can use. */
export const NAMED_SHARE = 0.9;
