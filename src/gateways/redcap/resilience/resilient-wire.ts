import type { z } from 'zod';
import { CancelledError, InvalidRequestError } from '../../../errors/caller-errors.js';
import { CrfError } from '../../../errors/crf-error.js';
import { OverloadedError } from '../../../errors/operator-errors.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../../errors/upstream-errors.js';
import type { AnswerStream } from '../answer-stream.js';
import type { ExportForm } from '../export-form.js';
import { checkSendable } from '../form-body.js';
import { mayHaveArrived } from '../may-have-arrived.js';
import type { FileSource } from '../multipart-upload.js';
import type { Download, RedcapTransport, TransportCallOptions } from '../redcap-transport.js';
import type { RedcapWire, WireOptions } from '../redcap-wire.js';
import type { WireParameters } from '../wire-parameters.js';
import { CallQueue, type CallKind } from './call-queue.js';
import { CallScope } from './call-scope.js';
import type { CallCeiling } from './call-ceiling.js';
import type { Circuit, Outcome } from './circuit-breaker.js';
import { SYSTEM_CLOCK, type Clock } from './clock.js';
import type { ResilienceOptions } from './resilience-options.js';
import { LOCAL_RESILIENCE, type ResilienceState } from './resilience-state.js';
import { RetryBudget } from './retry-budget.js';

type Transport = Pick<RedcapTransport, 'text' | 'json' | 'stream' | 'download' | 'upload' | 'close'>;

interface TurnOptions extends WireOptions {
  /** `call` by default. */
  readonly kind?: CallKind | undefined;
}

/** A slot among the calls in progress. */
interface Turn {
  readonly report: (outcome: Outcome) => void;
  readonly giveBack: () => void;
}

/**
 * Makes calls of REDCap's API with a fair queue, a rate ceiling, a circuit breaker, retries of repeatable calls, and
 * one time limit for everything together. Each attempt takes a turn of its own; no turn is held during a pause between
 * attempts.
 */
export class ResilientWire implements RedcapWire {
  readonly #transport: Transport;
  readonly #options: ResilienceOptions;
  readonly #clock: Clock;
  readonly #queue: CallQueue;
  readonly #ceiling: CallCeiling;
  readonly #circuit: Circuit;
  readonly #budget: RetryBudget;
  readonly #scopes = new Set<CallScope>();
  #isClosed = false;

  /** @param state counters and circuit; local to this process by default */
  constructor(
    transport: Transport,
    options: ResilienceOptions,
    clock: Clock = SYSTEM_CLOCK,
    state: Pick<ResilienceState, 'ceiling' | 'circuit'> = LOCAL_RESILIENCE,
  ) {
    this.#transport = transport;
    this.#options = options;
    this.#clock = clock;
    this.#queue = new CallQueue(options, clock);
    this.#ceiling = state.ceiling(options.callsPerMinute, clock);
    this.#circuit = state.circuit(options, clock);
    this.#budget = new RetryBudget(options, clock);
  }

  text(parameters: WireParameters, pattern: RegExp, options: WireOptions = {}): Promise<string> {
    return this.#call(parameters, options, (attempt) => this.#transport.text(parameters, pattern, attempt));
  }

  json<Value>(
    parameters: WireParameters,
    schema: z.ZodType<Value>,
    options: WireOptions = {},
  ): Promise<Value> {
    return this.#call(parameters, options, (attempt) => this.#transport.json(parameters, schema, attempt));
  }

  async stream(
    parameters: WireParameters,
    form: ExportForm,
    options: WireOptions = {},
  ): Promise<AnswerStream> {
    const open = async (attempt: TransportCallOptions): Promise<{ body: AnswerStream }> => ({
      body: await this.#transport.stream(parameters, form, attempt),
    });
    return (await this.#open(parameters, options, open)).body;
  }

  download(
    parameters: WireParameters,
    form: ExportForm | undefined,
    options: WireOptions = {},
  ): Promise<Download> {
    return this.#open(parameters, options, (attempt) => this.#transport.download(parameters, form, attempt));
  }

  upload(parameters: WireParameters, file: FileSource, options: WireOptions = {}): Promise<void> {
    const once = { ...options, kind: 'stream' as const, isSafe: false, isRepeatable: false };
    return this.#call(parameters, once, (attempt, scope) => {
      // An upload takes as long as its sender does.
      scope.liftDeadline();
      return this.#transport.upload(parameters, file, attempt);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const scope of this.#scopes) scope.close();
    this.#transport.close();
  }

  /** Makes a call that holds its turn until its answer has been read. */
  async #open<Opened extends { readonly body: AnswerStream }>(
    parameters: WireParameters,
    options: WireOptions,
    open: (attempt: TransportCallOptions) => Promise<Opened>,
  ): Promise<Opened> {
    const scope = this.#begin(parameters, options);
    try {
      return await this.#withRetries(scope, { ...options, kind: 'stream' }, async (attempt, turn) => {
        const opened = await open(attempt);
        const { body } = opened;
        scope.liftDeadline();
        turn.report('answered');
        afterClose(body, () => {
          if (body.errored !== null) turn.report(outcomeOf(body.errored));
          turn.giveBack();
          this.#end(scope);
        });
        return opened;
      });
    } catch (error) {
      this.#end(scope);
      throw error;
    }
  }

  async #call<Value>(
    parameters: WireParameters,
    options: TurnOptions,
    send: (attempt: TransportCallOptions, scope: CallScope) => Promise<Value>,
  ): Promise<Value> {
    const scope = this.#begin(parameters, options);
    try {
      return await this.#withRetries(scope, options, async (attempt, turn) => {
        const value = await send(attempt, scope);
        turn.report('answered');
        turn.giveBack();
        return value;
      });
    } finally {
      this.#end(scope);
    }
  }

  /** @throws {InvalidRequestError} the parameters cannot be sent: such a call needs no turn */
  #begin(parameters: WireParameters, { signal }: WireOptions): CallScope {
    if (this.#isClosed) throw new CancelledError();
    checkSendable(parameters);
    const scope = new CallScope(signal, this.#options.totalMs, this.#clock);
    this.#scopes.add(scope);
    this.#budget.earn();
    return scope;
  }

  #end(scope: CallScope): void {
    scope.dispose();
    this.#scopes.delete(scope);
  }

  async #withRetries<Value>(
    scope: CallScope,
    options: TurnOptions,
    send: (attempt: TransportCallOptions, turn: Turn) => Promise<Value>,
  ): Promise<Value> {
    const { isSafe = false, isRepeatable = false } = options;
    let earlier: CrfError | undefined;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt(scope, options, send);
      } catch (error) {
        // If there is no turn for a retry, the reason for the retry is the more useful error.
        if (earlier !== undefined && isOurOwnRefusal(error)) throw earlier;
        if (isRepeatable && error instanceof CrfError) error.isInDoubt = mayHaveArrived(earlier);
        const mayRepeat = (isSafe && isBlank(error)) || ((isSafe || isRepeatable) && isTransient(error));
        const pauseMs = mayRepeat ? this.#pauseBeforeRetry(error, retries, scope) : undefined;
        if (pauseMs === undefined || !(error instanceof CrfError)) throw error;
        earlier = error;
        await scope.sleep(pauseMs);
      }
    }
  }

  async #attempt<Value>(
    scope: CallScope,
    options: TurnOptions,
    send: (attempt: TransportCallOptions, turn: Turn) => Promise<Value>,
  ): Promise<Value> {
    const turn = await this.#takeTurn(scope, options);
    try {
      const { isSafe, emptyIf, traceparent } = options;
      return await send({ cancellation: scope, isSafe, emptyIf, traceparent }, turn);
    } catch (error) {
      turn.report(outcomeOf(error));
      turn.giveBack();
      throw error;
    }
  }

  async #takeTurn(scope: CallScope, options: TurnOptions): Promise<Turn> {
    try {
      return await this.#waitForTurn(scope, options);
    } catch (error) {
      // The total time ran out while waiting. The `queue` phase tells the caller that nothing was sent, so nothing can
      // have been stored.
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
    await this.#circuit.check();
    const giveBack = await this.#queue.enter(caller ?? '', scope, kind);
    try {
      const report = await this.#circuit.enter();
      try {
        await this.#ceiling.take(caller, isProbe);
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

  /**
   * Returns a random part of a span that doubles with each retry, or what `Retry-After` asks for if that is longer;
   * `undefined` for no retry.
   */
  #pauseBeforeRetry(error: CrfError, retries: number, scope: CallScope): number | undefined {
    const { maxRetries, retryBaseMs, retryMaxMs } = this.#options;
    if (retries >= maxRetries || scope.error !== undefined) return undefined;
    const spanMs = Math.min(retryMaxMs, retryBaseMs * 2 ** retries);
    const pauseMs = Math.max(this.#clock.random() * spanMs, (error.retryAfterSeconds ?? 0) * 1000);
    return pauseMs < scope.remainingMs && this.#budget.spend() ? pauseMs : undefined;
  }
}

/** Checks for a read that was answered with 200 and an empty body. @see docs/protocol/redcap.md 20 (issue) */
function isBlank(error: unknown): error is UpstreamInvalidError {
  return error instanceof UpstreamInvalidError && error.isBlank;
}

/** Calls the listener when the stream has closed. A stream that failed immediately may already be closed. */
function afterClose(stream: AnswerStream, listener: () => void): void {
  if (stream.closed) listener();
  else stream.once('close', listener);
}

/** Checks whether the same call may succeed if it is retried. */
function isTransient(error: unknown): error is CrfError {
  if (error instanceof UpstreamUnavailableError) return error.phase !== 'circuit open';
  return error instanceof UpstreamTimeoutError && error.phase !== 'total' && error.phase !== 'queue';
}

function isOurOwnRefusal(error: unknown): boolean {
  return (
    error instanceof OverloadedError ||
    (error instanceof UpstreamUnavailableError && error.phase === 'circuit open')
  );
}

/** Classifies an error for the circuit breaker. A refusal counts as an answer: REDCap is up. */
function outcomeOf(error: unknown): Outcome {
  // A value that cannot be sent, or a file of the wrong length, is found before REDCap answers.
  if (error instanceof CancelledError || error instanceof InvalidRequestError) return 'abandoned';
  // The total time counts against REDCap too, because it is spent waiting for REDCap.
  if (isTransient(error) || error instanceof UpstreamTimeoutError) return 'failed';
  return error instanceof CrfError ? 'answered' : 'abandoned';
}
