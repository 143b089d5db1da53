import { OverloadedError } from '../../../errors/operator-errors.js';
import type { Clock } from './clock.js';

/**
 * Counts the calls of the last minute, to the call, so that REDCap's own limit, which bans an address until a person
 * lifts the ban, is never reached. A named caller gets at most nine tenths: the others are still served.
 *
 * @see docs/protocol/redcap.md 1.10 (doc)
 */
export class MinuteCeiling {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #calls: { readonly at: number; readonly caller: string | undefined }[] = [];
  readonly #countOf = new Map<string, number>();

  /** @param limit calls in any minute; 0 for no ceiling */
  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /**
   * Counts a call.
   *
   * @param isProbe never refused: there is one in a few seconds at most, and a full minute is no fault of REDCap's
   * @throws {OverloadedError} the minute is full, with the seconds until it is not
   */
  take(caller: string | undefined, isProbe = false): void {
    if (this.#limit === 0) return;
    const now = this.#clock.now();
    this.#forgetBefore(now - MINUTE_MS);
    const share = Math.max(1, Math.floor(this.#limit * NAMED_SHARE));
    const isOverShare = caller !== undefined && (this.#countOf.get(caller) ?? 0) >= share;
    if (!isProbe && (isOverShare || this.#calls.length >= this.#limit))
      throw this.#refusal(now, isOverShare ? caller : undefined);
    this.#calls.push({ at: now, caller });
    if (caller !== undefined) this.#countOf.set(caller, (this.#countOf.get(caller) ?? 0) + 1);
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
const NAMED_SHARE = 0.9;
