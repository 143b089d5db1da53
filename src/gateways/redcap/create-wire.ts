import type { CallOptions } from './call-options.js';
import { nameVersion } from './name-version.js';
import { harmlessObserver, observeCalls, observeRequests } from './observed/observe.js';
import type { CallObserver } from './observed/call-observer.js';
import { RedcapTransport, type RedcapTransportOptions } from './redcap-transport.js';
import { RedcapWire } from './redcap-wire.js';
import { CallQueue } from './resilience/call-queue.js';
import { CallScopes, limitTime, type InProgress } from './resilience/call-scope.js';
import { CallTurns, takeTurns } from './resilience/call-turns.js';
import type { Clock } from './resilience/clock.js';
import type { ResilienceOptions } from './resilience/resilience-options.js';
import type { ResilienceState } from './resilience/resilience-state.js';
import { retry } from './resilience/retry.js';
import { wrap, type Send } from './wire-call.js';

export interface RedcapWireOptions extends RedcapTransportOptions {
  readonly resilience: ResilienceOptions;
  readonly clock: Clock;
  /** Counters and circuit. */
  readonly shared: Pick<ResilienceState, 'ceiling' | 'circuit'>;
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
  const turns = new CallTurns(
    new CallQueue(resilience, clock),
    shared.circuit(resilience, clock),
    shared.ceiling(resilience.callsPerMinute, clock),
  );
  const observer = options.observer && harmlessObserver(options.observer);

  // From the inside out: each line wraps those before it.
  const request: Send<InProgress> = observer
    ? wrap(transport.send, observeRequests(observer))
    : transport.send;
  const inTurn = wrap(request, takeTurns(turns));
  const repeated = wrap(inTurn, retry(resilience, clock));
  const inTime = wrap(repeated, limitTime(scopes));
  const observed = observer ? wrap(inTime, observeCalls(observer)) : inTime;
  return new RedcapWire(wrap(observed, nameVersion(versionOf)), () => {
    scopes.close();
    transport.close();
  });
}
