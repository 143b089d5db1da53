import { OverloadedError } from '../../../domain/errors/operator-errors.js';
import type { Interceptor } from '../wire-call.js';
import type { InProgress } from './call-scope.js';
import type { Clock } from './clock.js';
import { Counts } from './counts.js';

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
  readonly #calls: {
    readonly at: number;
    readonly caller: string | undefined;
    /** The project from whose reserve it was taken. */
    readonly reservedBy: string | undefined;
  }[] = [];
  readonly #reservedOf = new Counts();
  readonly #countOf = new Counts();

  /**
   * @param limit calls in any minute; 0 for no ceiling
   * @param replicas the number of processes that currently share the limit; one by default
   * @param projects the number of projects that share it; one by default
   */
  constructor(
    private readonly limit: number,
    private readonly clock: Clock,
    private readonly replicas: () => number = () => 1,
    private readonly projects: () => number = () => 1,
  ) {}

  /** @param project whose call it is, if several share the ceiling */
  take(caller: string | undefined, isProbe = false, project = ''): void {
    if (this.limit === 0) return;
    const now = this.clock.now();
    this.#forgetBefore(now - MINUTE_MS);
    const limit = Math.max(1, Math.floor(this.limit / this.replicas()));
    const reserve = reserveOf(limit, this.projects());
    const isReserved = this.#reservedOf.of(project) < reserve;
    // What the others have reserved and not used is not for this one.
    const open = isReserved ? limit : limit - (reserve * this.projects() - this.#reservedOf.total);
    const share = Math.max(1, Math.floor(limit * NAMED_SHARE));
    const isOverShare = caller !== undefined && this.#countOf.of(caller) >= share;
    if (!isProbe && (isOverShare || this.#calls.length >= open))
      throw this.#refusal(now, isOverShare ? caller : undefined);
    this.#calls.push({ at: now, caller, reservedBy: isReserved ? project : undefined });
    if (isReserved) this.#reservedOf.add(project);
    if (caller !== undefined) this.#countOf.add(caller);
  }

  used(): number {
    this.#forgetBefore(this.clock.now() - MINUTE_MS);
    return this.#calls.length;
  }

  #refusal(now: number, caller: string | undefined): OverloadedError {
    const first = this.#calls.find((call) => caller === undefined || call.caller === caller);
    const waitMs = first === undefined ? MINUTE_MS : first.at + MINUTE_MS - now;
    return new OverloadedError({ retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }

  #forgetBefore(moment: number): void {
    const kept = this.#calls.findIndex((call) => call.at > moment);
    for (const { caller, reservedBy } of this.#calls.splice(0, kept === -1 ? this.#calls.length : kept)) {
      if (caller !== undefined) this.#countOf.remove(caller);
      if (reservedBy !== undefined) this.#reservedOf.remove(reservedBy);
    }
  }
}

/**
 * Returns how many of the calls of a minute each of several projects has for itself: half of the ceiling is divided among
 * them, and the other half is for whoever needs it.
 */
export function reserveOf(limit: number, projects: number): number {
  return projects < 2 ? 0 : Math.floor(limit / (2 * projects));
}

const MINUTE_MS = 60_000;
/** The share of the ceiling that one named caller can use. */
export const NAMED_SHARE = 0.9;
