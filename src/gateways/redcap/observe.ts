import { ignoringErrors } from '../../domain/errors/crf-error.js';
import { UpstreamUnavailableError } from '../../domain/errors/upstream-errors.js';
import type { InProgress } from './resilience/call-scope.js';
import type { Circuit } from './resilience/circuit-breaker.js';
import { afterReading, type Interceptor } from './wire-call.js';

/** Reports every operation to an observer, including its waiting time and retries, and the state of the circuit. */
export function observeCalls(observer: CallObserver, circuit: Circuit): Interceptor {
  const watchCircuit = circuitWatch(observer, circuit);
  return async (call, next) => {
    const { parameters, reading } = call;
    const kind = reading.streamOf === undefined ? 'call' : 'stream';
    const ended = observer.began(contentOf(parameters), kind, actionOf(parameters));
    const settle = (error: unknown, rows?: number): void => {
      ended(error === undefined ? 'ok' : outcomeOf(error), rows);
      watchCircuit(error);
    };
    try {
      const value = await next(call);
      afterReading(call, value, (error) => settle(error, rowsOf(value)));
      return value;
    } catch (error) {
      settle(error);
      throw error;
    }
  };
}

/** Reports every request that is sent to REDCap to an observer. */
export function observeRequests(observer: CallObserver): Interceptor<InProgress> {
  return async (call, next) => {
    const { parameters, retries } = call;
    const answered = observer.sent(contentOf(parameters), retries > 0, actionOf(parameters));
    try {
      const value = await next(call);
      answered('ok');
      return value;
    } catch (error) {
      answered(outcomeOf(error));
      throw error;
    }
  };
}

/** Wraps an observer so that an error of its own neither fails a call nor ends the process. */
export function harmlessObserver(observer: CallObserver): CallObserver {
  return {
    began: (...call) => {
      const ended = ignoringErrors(() => observer.began(...call));
      return (...end) => ignoringErrors(() => ended?.(...end));
    },
    sent: (...request) => {
      const answered = ignoringErrors(() => observer.sent(...request));
      return (...answer) => ignoringErrors(() => answered?.(...answer));
    },
    circuitChanged: (...change) => ignoringErrors(() => observer.circuitChanged(...change)),
  };
}

/**
 * Tells when the circuit opens, by asking it after each failure, and when it closes: a call that succeeds has closed it.
 * Other calls leave it as it was, such as a probe that fails.
 */
function circuitWatch(observer: CallObserver, circuit: Circuit): (error: unknown) => void {
  let isOpen = false;
  return (error) => {
    if (error === undefined ? !isOpen : isOpen || !isRefusing(circuit)) return;
    isOpen = error !== undefined;
    const isOfCircuit = error instanceof UpstreamUnavailableError && error.phase === 'circuit open';
    observer.circuitChanged(isOpen, error instanceof Error && !isOfCircuit ? error : undefined);
  };
}

function isRefusing(circuit: Circuit): boolean {
  try {
    circuit.check();
    return false;
  } catch (error) {
    return error instanceof UpstreamUnavailableError;
  }
}

/** @returns the content of a call, for a metrics label: a short name, never data */
function contentOf(parameters: object): string {
  return nameIn(parameters, 'content') ?? 'other';
}

/** @returns the action of a call, as REDCap's API names it; undefined if there is none */
function actionOf(parameters: object): string | undefined {
  return nameIn(parameters, 'action');
}

function nameIn(parameters: object, key: 'content' | 'action'): string | undefined {
  const { [key]: name } = parameters as { readonly content?: unknown; readonly action?: unknown };
  return typeof name === 'string' && /^[A-Za-z_]{1,40}$/.test(name) ? name : undefined;
}

/** @returns the number of rows in an answer: the length of a list, or the count that REDCap reports */
function rowsOf(answer: unknown): number | undefined {
  if (Array.isArray(answer)) return answer.length;
  const { count } = (answer ?? {}) as { readonly count?: unknown };
  return typeof count === 'number' ? count : undefined;
}

/** @returns the code of one of this package's errors */
function outcomeOf(error: unknown): CallOutcome {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'internal_error';
}

/** The outcome of a call: `ok`, or its error code. */
export type CallOutcome = string;

/**
 * Receives every operation of REDCap's API that is called, and every request that is sent. `content` and `action` are
 * REDCap's names; many operations have no action. What an observer throws is ignored.
 */
export interface CallObserver {
  /**
   * Called when an operation begins. The returned function is called once, when the operation is over (for a stream,
   * when it is closed), with the number of rows read or stored if the answer states it.
   */
  began(
    content: string,
    kind: 'call' | 'stream',
    action?: string,
  ): (outcome: CallOutcome, rows?: number) => void;
  /**
   * Called when a request is sent. The returned function is called when its answer has arrived (for a stream, its
   * beginning).
   */
  sent(content: string, isRetry: boolean, action?: string): (outcome: CallOutcome) => void;
  /**
   * Called when the circuit breaker has opened or closed.
   *
   * @param cause of the last call before it opened
   */
  circuitChanged(isOpen: boolean, cause?: Error): void;
}
