import { OverloadedError } from '../../../errors/operator-errors.js';
import { UpstreamTimeoutError } from '../../../errors/upstream-errors.js';
import { afterReading, type Interceptor, type WireOptions } from '../wire-call.js';
import { outcomeOf } from './call-errors.js';
import type { CallKind, CallQueue } from './call-queue.js';
import type { CallScope, InProgress } from './call-scope.js';
import type { Circuit, ReportOutcome } from './circuit-breaker.js';
import type { CallCeiling } from './minute-ceiling.js';

/** Which turn a call needs. */
type TurnOptions = Pick<WireOptions, 'caller' | 'isProbe' | 'isContinuation'> & { readonly kind: CallKind };

/** A slot among the calls in progress. */
interface Turn {
  readonly report: ReportOutcome;
  readonly giveBack: () => void;
}

/** Makes a call when it has its turn, and gives the turn back when the answer has been read. */
export function takeTurns(turns: CallTurns): Interceptor<InProgress> {
  return async (call, next) => {
    const { cancellation: scope, file, reading } = call;
    const isLong = file !== undefined || reading.streamOf !== undefined;
    const turn = await turns.take(scope, { ...call, kind: isLong ? 'stream' : 'call' });
    // An upload takes as long as its sender does.
    if (file !== undefined) scope.liftDeadline();
    try {
      const value = await next(call);
      turn.report('answered');
      afterReading(call, value, (error) => {
        if (error !== undefined) turn.report(outcomeOf(error));
        turn.giveBack();
      });
      return value;
    } catch (error) {
      turn.report(outcomeOf(error));
      turn.giveBack();
      throw error;
    }
  };
}

/** Gives calls their turns: when the circuit lets them pass, the queue has a slot, and the minute has room. */
export class CallTurns {
  constructor(
    private readonly queue: CallQueue,
    private readonly circuit: Circuit,
    private readonly ceiling: CallCeiling,
  ) {}

  /**
   * Waits for a turn.
   *
   * @throws {OverloadedError} the queue or the minute is full; a continuation waits instead
   * @throws {UpstreamUnavailableError} the circuit is open
   * @throws {UpstreamTimeoutError} the total time ran out while waiting. The `queue` phase tells the caller that nothing
   *   was sent, so nothing can have been stored
   */
  async take(scope: CallScope, options: TurnOptions): Promise<Turn> {
    try {
      return await this.#waitForTurn(scope, options);
    } catch (error) {
      throw error instanceof UpstreamTimeoutError
        ? new UpstreamTimeoutError('queue', { cause: error })
        : error;
    }
  }

  async #waitForTurn(scope: CallScope, options: TurnOptions): Promise<Turn> {
    for (;;) {
      try {
        return await this.#askForTurn(scope, options);
      } catch (error) {
        if (!options.isContinuation || !(error instanceof OverloadedError)) throw error;
        await scope.sleep((error.retryAfterSeconds ?? 1) * 1000);
      }
    }
  }

  async #askForTurn(scope: CallScope, { caller, kind, isProbe }: TurnOptions): Promise<Turn> {
    // Also checked before the queue: while the circuit is open, calls need not wait to be refused.
    await this.circuit.check();
    const giveBack = await this.queue.enter(caller ?? '', scope, kind);
    try {
      const report = await this.circuit.enter();
      try {
        await this.ceiling.take(caller, isProbe);
      } catch (error) {
        report('abandoned');
        throw error;
      }
      return { report, giveBack };
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
