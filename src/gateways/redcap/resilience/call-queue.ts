import { OverloadedError } from '../../../domain/errors/operator-errors.js';
import { UpstreamTimeoutError } from '../../../domain/errors/upstream-errors.js';
import type { Cancellation } from '../cancellation.js';
import { afterReading, type Interceptor } from '../wire-call.js';
import type { InProgress } from './call-scope.js';
import type { Clock } from './clock.js';
import { Counts } from './counts.js';

/** A `call` is short; a `stream` lasts as long as it is being read. */
export type CallKind = 'call' | 'stream';

export interface CallQueueOptions {
  readonly concurrency: number;
  readonly queueLimit: number;
  readonly queueWaitMs: number;
}

/**
 * Makes a call when it has its turn, and gives the turn back when the answer has been read.
 *
 * @param project takes the turns of all callers of a project, in a queue of several projects
 */
export function takeTurns(queue: CallQueue, project?: string): Interceptor<InProgress> {
  return async (call, next) => {
    const { cancellation, caller = '', file, reading } = call;
    const kind = file === undefined && reading.streamOf === undefined ? 'call' : 'stream';
    const giveBack = await queue.enter(project ?? caller, cancellation, kind).catch(throwAsNotSent);
    // An upload takes as long as its sender does.
    if (file !== undefined) cancellation.liftDeadline();
    try {
      const value = await next(call);
      afterReading(call, value, giveBack);
      return value;
    } catch (error) {
      giveBack();
      throw error;
    }
  };
}

/**
 * Lets a call that continues an operation wait for room, as long as its total time allows, where others are refused: the
 * queue, or the minute, is full.
 */
export function waitForRoom(): Interceptor<InProgress> {
  return async (call, next) => {
    for (;;) {
      try {
        return await next(call);
      } catch (error) {
        if (!call.isContinuation || !(error instanceof OverloadedError)) throw error;
        await call.cancellation.sleep((error.retryAfterSeconds ?? 1) * 1000).catch(throwAsNotSent);
      }
    }
  };
}

/** If the total time ran out while waiting, nothing was sent, so nothing can have been stored. The error says so. */
function throwAsNotSent(error: unknown): never {
  throw error instanceof UpstreamTimeoutError ? new UpstreamTimeoutError('queue', { cause: error }) : error;
}

interface Waiter {
  readonly caller: string;
  readonly kind: CallKind;
  /** Grants the turn, or refuses it with an error. */
  readonly settle: (error?: Error) => void;
}

/**
 * Lets a limited number of calls run at the same time. The others wait for a short time, with turns alternating between
 * callers. When the queue is full, the caller with the most waiting calls loses one to a caller with fewer. Streams
 * never take the last turns, so that short calls need not wait for slow readers, and one caller gets no more than its
 * share of the streams.
 */
export class CallQueue {
  /** Waiting calls by caller. The order of the callers is the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>();
  #waitingCount = 0;

  /** @param turns who may have how many; by default those of the callers of one project */
  constructor(
    private readonly options: CallQueueOptions,
    private readonly clock: Clock,
    private readonly turns: Turns = new CallerTurns(options.concurrency),
  ) {}

  /**
   * Waits for a turn.
   *
   * @returns a function that gives the turn back; calls after the first have no effect
   * @throws {OverloadedError} the queue is full, or the wait was too long
   */
  async enter(caller: string, cancellation: Cancellation, kind: CallKind = 'call'): Promise<() => void> {
    if (cancellation.error !== undefined) throw cancellation.error;
    if (this.turns.isFreeFor(caller, kind)) this.turns.take(caller, kind);
    else await this.#wait(caller, cancellation, kind);
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      this.turns.giveBack(caller, kind);
      this.#next();
    };
  }

  #wait(caller: string, cancellation: Cancellation, kind: CallKind): Promise<void> {
    this.#makeRoomFor(caller);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        caller,
        kind,
        settle: (error) => {
          forget();
          cancellation.unsubscribe(waiter.settle);
          this.#remove(waiter);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      const forget = this.clock.schedule(this.options.queueWaitMs, () => waiter.settle(this.#refusal()));
      cancellation.subscribe(waiter.settle);
      this.#add(waiter);
    });
  }

  /** Passes on a free turn to the first caller that has a call which may run now. */
  #next(): void {
    for (const [caller, waiters] of this.#waiting) {
      const waiter = waiters.find(({ kind }) => this.turns.isFreeFor(caller, kind));
      if (waiter === undefined) continue;
      this.#waiting.delete(caller);
      this.#waiting.set(caller, waiters);
      this.turns.take(caller, waiter.kind);
      waiter.settle();
      return;
    }
  }

  #add(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.caller);
    if (waiters === undefined) this.#waiting.set(waiter.caller, [waiter]);
    else waiters.push(waiter);
    this.#waitingCount += 1;
  }

  #remove(waiter: Waiter): void {
    const waiters = this.#waiting.get(waiter.caller) ?? [];
    const index = waiters.indexOf(waiter);
    if (index === -1) return;
    waiters.splice(index, 1);
    this.#waitingCount -= 1;
    if (waiters.length === 0) this.#waiting.delete(waiter.caller);
  }

  #makeRoomFor(caller: string): void {
    if (this.#waitingCount < this.options.queueLimit) return;
    const own = this.#waiting.get(caller)?.length ?? 0;
    const longest = [...this.#waiting.values()].reduce<Waiter[]>(
      (most, waiters) => (waiters.length > most.length ? waiters : most),
      [],
    );
    const last = longest.at(-1);
    if (last === undefined || longest.length <= own + 1) throw this.#refusal();
    last.settle(this.#refusal());
  }

  #refusal(): OverloadedError {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.options.queueWaitMs / 1000));
    return new OverloadedError({ retryAfterSeconds });
  }
}

/** The turns of a queue. */
export interface Turns {
  isFreeFor(caller: string, kind: CallKind): boolean;
  take(caller: string, kind: CallKind): void;
  giveBack(caller: string, kind: CallKind): void;
}

/**
 * The turns that the callers of one project share. A quarter of them, and at least one if there are several, is reserved for
 * short calls. A named caller holds at most two thirds of the rest for its streams, so that its slow readers do not block
 * the others.
 */
class CallerTurns implements Turns {
  readonly #streams = new Counts();
  readonly #streamLimit: number;
  readonly #streamShare: number;
  #running = 0;

  constructor(private readonly concurrency: number) {
    const kept = concurrency === 1 ? 0 : Math.max(1, Math.floor(concurrency / 4));
    this.#streamLimit = concurrency - kept;
    this.#streamShare = Math.ceil((this.#streamLimit * 2) / 3);
  }

  /** @param caller blank for a client that serves a single program, whose streams can take all of theirs */
  isFreeFor(caller: string, kind: CallKind): boolean {
    if (this.#running >= this.concurrency) return false;
    if (kind === 'call') return true;
    const isOverShare = caller !== '' && this.#streams.of(caller) >= this.#streamShare;
    return this.#streams.total < this.#streamLimit && !isOverShare;
  }

  take(caller: string, kind: CallKind): void {
    this.#running += 1;
    if (kind === 'stream') this.#streams.add(caller);
  }

  giveBack(caller: string, kind: CallKind): void {
    this.#running -= 1;
    if (kind === 'stream') this.#streams.remove(caller);
  }
}

/**
 * The turns that the projects of one REDCap share. Each has one of its own; of the others, which are as many as a single
 * project would have, it holds two thirds at most. So projects whose calls hang never keep the others from theirs.
 */
export class ProjectTurns implements Turns {
  readonly #share: number;
  readonly #held = new Counts();

  constructor(private readonly concurrency: number) {
    this.#share = Math.ceil((concurrency * 2) / 3);
  }

  isFreeFor(project: string): boolean {
    const held = this.#held.of(project);
    const shared = this.#held.total - this.#held.names;
    return held === 0 || (held <= this.#share && shared < this.concurrency);
  }

  take(project: string): void {
    this.#held.add(project);
  }

  giveBack(project: string): void {
    this.#held.remove(project);
  }
}
