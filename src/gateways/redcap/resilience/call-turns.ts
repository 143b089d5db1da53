import { OverloadedError } from '../../../errors/operator-errors.js';
import { UpstreamTimeoutError } from '../../../errors/upstream-errors.js';
import type { WireOptions } from '../redcap-wire.js';
import type { CallCeiling } from './call-ceiling.js';
import type { CallKind, CallQueue } from './call-queue.js';
import type { CallScope } from './call-scope.js';
import type { Circuit, Outcome } from './circuit-breaker.js';

/** Which turn a call needs. */
export interface TurnOptions extends WireOptions {
  /** `call` by default. */
  readonly kind?: CallKind | undefined;
}

/** A slot among the calls in progress. */
export interface Turn {
  readonly report: (outcome: Outcome) => void;
  readonly giveBack: () => void;
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
