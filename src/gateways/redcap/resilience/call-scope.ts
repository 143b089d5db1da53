import { CancelledError } from '../../../domain/errors/caller-errors.js';
import { UpstreamTimeoutError } from '../../../domain/errors/upstream-errors.js';
import { Cancellation, followSignal } from '../cancellation.js';
import { checkSendable } from '../request-body.js';
import { afterReading, type Interceptor } from '../wire-call.js';
import type { Clock } from './clock.js';

/**
 * The lifetime of one call, including its waiting and its retries. It is cancelled when the caller's signal aborts,
 * when the total time is over, or when the client is closed.
 */
export class CallScope extends Cancellation {
  readonly #deadline: number;
  readonly #forgetSignal: () => void;
  #forgetDeadline: (() => void) | undefined;

  constructor(
    signal: AbortSignal | undefined,
    totalMs: number,
    private readonly clock: Clock,
  ) {
    super();
    this.#deadline = clock.now() + totalMs;
    this.#forgetDeadline = clock.schedule(totalMs, () => this.cancel(new UpstreamTimeoutError('total')));
    this.#forgetSignal = followSignal(this, signal);
  }

  get remainingMs(): number {
    return this.#deadline - this.clock.now();
  }

  /** Cancels the call because the client is closed. */
  close(): void {
    this.cancel(new CancelledError({}, CLOSED));
  }

  /** Removes the time limit, because a stream has opened and may take any amount of time. */
  liftDeadline(): void {
    this.#forgetDeadline?.();
    this.#forgetDeadline = undefined;
  }

  dispose(): void {
    this.liftDeadline();
    this.#forgetSignal();
  }

  /** Waits, unless the call ends first. @throws the error the call ended with */
  sleep(milliseconds: number): Promise<void> {
    return this.wait((done) => this.clock.schedule(milliseconds, done));
  }
}

const CLOSED = 'This client is closed (close). Create another one.';

/** The calls in progress of one client. */
export class CallScopes {
  readonly #scopes = new Set<CallScope>();
  #isClosed = false;

  /** @param totalMs the time limit of a call */
  constructor(
    private readonly totalMs: number,
    private readonly clock: Clock,
  ) {}

  /** @throws {CancelledError} the client is closed */
  begin(signal: AbortSignal | undefined): CallScope {
    if (this.#isClosed) throw new CancelledError({}, CLOSED);
    const scope = new CallScope(signal, this.totalMs, this.clock);
    this.#scopes.add(scope);
    return scope;
  }

  end(scope: CallScope): void {
    scope.dispose();
    this.#scopes.delete(scope);
  }

  close(): void {
    this.#isClosed = true;
    for (const scope of this.#scopes) scope.close();
  }
}

/** What a call has while it is in progress. */
export interface InProgress {
  readonly cancellation: CallScope;
  /** How often it has been made before. */
  readonly retries: number;
}

/** Ends a call when its time is over. A stream may take any time once it is open. */
export function limitTime(scopes: CallScopes): Interceptor<unknown, InProgress> {
  return async (call, next) => {
    const scope = scopes.begin(call.signal);
    try {
      // A call that cannot be sent needs no turn.
      checkSendable(call.parameters);
      const value = await next({ ...call, cancellation: scope, retries: 0 });
      scope.liftDeadline();
      afterReading(call, value, () => scopes.end(scope));
      return value;
    } catch (error) {
      scopes.end(scope);
      throw error;
    }
  };
}
