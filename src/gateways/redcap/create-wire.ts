import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { NotSupportedUpstreamError, UpstreamRejectedError } from '../../domain/errors/upstream-errors.js';
import { isUnknownName } from '../../domain/identifiers/nearest-name.js';
import type { CallOptions } from './call-options.js';
import { harmlessObserver, observeCalls, observeRequests, type CallObserver } from './observe.js';
import { RedcapTransport, type RedcapTransportOptions } from './redcap-transport.js';
import { CallQueue, takeTurns, waitForRoom } from './resilience/call-queue.js';
import { CallScopes, limitTime, type InProgress } from './resilience/call-scope.js';
import { breakCircuit, refuseWhileOpen } from './resilience/circuit-breaker.js';
import type { Clock } from './resilience/clock.js';
import { countCalls } from './resilience/minute-ceiling.js';
import type { ResilienceOptions, ResilienceState } from './resilience/resilience-options.js';
import { retry } from './resilience/retry.js';
import { wrap, type Send, type Interceptor } from './wire-call.js';

interface WireSettings extends RedcapTransportOptions {
  readonly resilience: ResilienceOptions;
  readonly clock: Clock;
  /** Counters and circuit. */
  readonly shared: Pick<ResilienceState, 'ceiling' | 'circuit' | 'host'>;
  readonly observer?: CallObserver | undefined;
  /** Returns REDCap's version, which may take a call. It is named in the error of a call that it does not support. */
  readonly versionOf: (options: CallOptions) => Promise<string>;
}

/** The connection to REDCap's API. */
export interface Wire {
  readonly send: Send;
  /** Cancels calls in progress and closes the connections. */
  close(): void;
}

/**
 * Connects to REDCap's API, with a fair queue, a ceiling of calls, a circuit breaker, retries of repeatable calls, and
 * one time limit for everything together. Each attempt takes a turn of its own; no turn is held during a pause between
 * attempts.
 */
export function createWire(options: WireSettings): Wire {
  const { resilience, clock, shared, versionOf } = options;
  const transport = new RedcapTransport({ ...options, maxSockets: resilience.concurrency });
  const scopes = new CallScopes(resilience.totalMs, clock);
  const queue = new CallQueue(resilience, clock);
  const circuit = shared.circuit(resilience, clock);
  const ceiling = shared.ceiling(resilience.callsPerMinute, clock);
  const observer = options.observer && harmlessObserver(options.observer);

  // From the request outwards: each line wraps the one before it.
  const request: Send<InProgress> = observer
    ? wrap(transport.send, observeRequests(observer))
    : transport.send;
  const counted = wrap(request, countCalls(ceiling));
  const guarded = wrap(counted, breakCircuit(circuit));
  const { host } = shared;
  const inHost = host ? wrap(guarded, takeTurns(host.queue(resilience, clock), host.project)) : guarded;
  const inTurn = wrap(inHost, takeTurns(queue));
  const admitted = wrap(inTurn, refuseWhileOpen(circuit));
  const attempt = wrap(admitted, waitForRoom());
  const repeated = wrap(attempt, retry(resilience, clock));
  const inTime = wrap(repeated, limitTime(scopes));
  const operation = observer ? wrap(inTime, observeCalls(observer, circuit)) : inTime;
  return {
    send: wrap(wrap(operation, nameVersion(versionOf)), refuseUnknownNames),
    close: () => {
      scopes.close();
      transport.close();
    },
  };
}

/**
 * A name that the project does not have is a mistake of the caller, with one code, whether this package has noticed it or
 * REDCap. For the circuit breaker and the observer it stays what it is: an answer of REDCap.
 */
const refuseUnknownNames: Interceptor = async (call, next) => {
  try {
    return await next(call);
  } catch (error) {
    if (!(error instanceof UpstreamRejectedError) || !error.errors.some(isUnknownName)) throw error;
    throw new InvalidRequestError(error.errors, { cause: error });
  }
};

/**
 * Adds REDCap's version to the error of a call that this version does not support.
 *
 * @param versionOf only called after such an error
 */
function nameVersion(versionOf: (options: CallOptions) => Promise<string>): Interceptor {
  return async (call, next) => {
    try {
      return await next(call);
    } catch (error) {
      // The question for the version must not lead to another one.
      if (!(error instanceof NotSupportedUpstreamError) || call.parameters['content'] === 'version')
        throw error;
      const { signal, caller } = call;
      // The original error matters more than a failure to read the version.
      const version = await versionOf({ signal, caller }).catch(() => undefined);
      throw new NotSupportedUpstreamError(error.operation, version, { cause: error });
    }
  };
}
