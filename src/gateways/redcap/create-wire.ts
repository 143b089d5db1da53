import type { CallOptions } from './call-options.js';
import { nameVersion } from './name-version.js';
import { harmlessObserver, observeCalls, observeRequests } from './observed/observe.js';
import type { CallObserver } from './observed/call-observer.js';
import { RedcapTransport, type RedcapTransportOptions } from './redcap-transport.js';
import { RedcapWire } from './redcap-wire.js';
import { CallQueue, takeTurns, waitForRoom } from './resilience/call-queue.js';
import { CallScopes, limitTime, type InProgress } from './resilience/call-scope.js';
import { breakCircuit, refuseWhileOpen } from './resilience/circuit-breaker.js';
import type { Clock } from './resilience/clock.js';
import { countCalls } from './resilience/minute-ceiling.js';
import type { ResilienceOptions } from './resilience/resilience-options.js';
import type { ResilienceState } from './resilience/resilience-state.js';
import { retry } from './resilience/retry.js';
import { wrap, type Send } from './wire-call.js';

export interface RedcapWireOptions extends RedcapTransportOptions {
  readonly resilience: ResilienceOptions;
  readonly clock: Clock;
  /** Counters and circuit. */
  readonly shared: Pick<ResilienceState, 'ceiling' | 'circuit' | 'host'>;
  readonly observer?: CallObserver | undefined;
  /** Returns REDCap's version, which may take a call. It is named in the error of a call that it does not support. */
  readonly versionOf: (options: CallOptions) => Promise<string>;
}

/**
 * Connects to REDCap's API, with a fair queue, a ceiling of calls, a circuit breaker, retries of repeatable calls, and
 * one time limit for everything together. Each attempt takes a turn of its own; no turn is held during a pause between
 * attempts.
 */
export function createWire(options: RedcapWireOptions): RedcapWire {
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
  return new RedcapWire(wrap(operation, nameVersion(versionOf)), () => {
    scopes.close();
    transport.close();
  });
}
