import type * as z from 'zod';
import { CancelledError } from '../../../errors/caller-errors.js';
import { CrfError } from '../../../errors/crf-error.js';
import type { AnswerStream } from '../answer-stream.js';
import type { ExportForm } from '../export-form.js';
import { checkSendable } from '../form-body.js';
import { mayHaveArrived } from '../may-have-arrived.js';
import type { FileSource } from '../multipart-upload.js';
import type { Download, Transport } from '../redcap-transport.js';
import type { RedcapWire, WireOptions } from '../redcap-wire.js';
import type { TransportCallOptions } from '../transport-options.js';
import type { WireParameters } from '../wire-parameters.js';
import { isOurOwnRefusal, mayRetry, outcomeOf } from './call-errors.js';
import { CallQueue } from './call-queue.js';
import { CallScope } from './call-scope.js';
import { CallTurns, type Turn, type TurnOptions } from './call-turns.js';
import type { Clock } from './clock.js';
import type { ResilienceOptions } from './resilience-options.js';
import type { ResilienceState } from './resilience-state.js';
import { RetryBudget } from './retry-budget.js';

/**
 * Makes calls of REDCap's API with a fair queue, a rate ceiling, a circuit breaker, retries of repeatable calls, and
 * one time limit for everything together. Each attempt takes a turn of its own; no turn is held during a pause between
 * attempts.
 */
export class ResilientWire implements RedcapWire {
  readonly #transport: Transport;
  readonly #options: ResilienceOptions;
  readonly #clock: Clock;
  readonly #turns: CallTurns;
  readonly #budget: RetryBudget;
  readonly #scopes = new Set<CallScope>();
  #isClosed = false;

  /** @param state counters and circuit; local to this process by default */
  constructor(
    transport: Transport,
    options: ResilienceOptions,
    clock: Clock,
    state: Pick<ResilienceState, 'ceiling' | 'circuit'>,
  ) {
    this.#transport = transport;
    this.#options = options;
    this.#clock = clock;
    this.#turns = new CallTurns(
      new CallQueue(options, clock),
      state.circuit(options, clock),
      state.ceiling(options.callsPerMinute, clock),
    );
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
    let earlier: CrfError | undefined;
    for (let retries = 0; ; retries += 1) {
      try {
        return await this.#attempt(scope, options, send);
      } catch (error) {
        // If there is no turn for a retry, the reason for the retry is the more useful error.
        if (earlier !== undefined && isOurOwnRefusal(error)) throw earlier;
        if (!(error instanceof CrfError)) throw error;
        if (options.isRepeatable) error.isInDoubt = mayHaveArrived(earlier);
        const pauseMs = mayRetry(error, options) ? this.#pauseBeforeRetry(error, retries, scope) : undefined;
        if (pauseMs === undefined) throw error;
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
    const turn = await this.#turns.take(scope, options);
    try {
      const { isSafe, emptyIf, traceparent } = options;
      return await send({ cancellation: scope, isSafe, emptyIf, traceparent }, turn);
    } catch (error) {
      turn.report(outcomeOf(error));
      turn.giveBack();
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

/** Calls the listener when the stream has closed. A stream that failed immediately may already be closed. */
function afterClose(stream: AnswerStream, listener: () => void): void {
  if (stream.closed) listener();
  else stream.once('close', listener);
}
