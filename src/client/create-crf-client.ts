import type { Agent } from 'node:http';
import { withDefaults } from '../errors/check-options.js';
import { ApiToken } from '../identifiers/api-token.js';
import { ApiUrl } from '../identifiers/api-url.js';
import { checkClientConfig } from '../gateways/redcap/check-client-config.js';
import type { ProjectClient, ProjectType } from './project-client.js';
import { RedcapClient } from './redcap-client.js';
import { RedcapTransport } from '../gateways/redcap/redcap-transport.js';
import type { ImportEncoding } from '../gateways/redcap/transport-options.js';
import { SYSTEM_CLOCK, type Clock } from '../gateways/redcap/resilience/clock.js';
import {
  DEFAULT_RESILIENCE,
  type ResilienceOptions,
} from '../gateways/redcap/resilience/resilience-options.js';
import { LOCAL_RESILIENCE, type ResilienceState } from '../gateways/redcap/resilience/resilience-state.js';
import { ResilientWire } from '../gateways/redcap/resilience/resilient-wire.js';
import { SharedReads } from '../gateways/redcap/resilience/shared-reads.js';
import type { CallObserver } from '../gateways/redcap/observed/call-observer.js';
import { harmlessObserver } from '../gateways/redcap/observed/harmless-observer.js';
import { ObservedTransport } from '../gateways/redcap/observed/observed-transport.js';
import { ObservedWire } from '../gateways/redcap/observed/observed-wire.js';
import type { UpstreamTimeouts } from '../gateways/redcap/upstream-timeouts.js';

export interface CrfClientConfig {
  /** The URL of REDCap's API, such as `https://redcap.example.org/api/`. The final slash is optional. */
  readonly url: string | ApiUrl;
  /** The project's token: 32 hexadecimal characters, or 64 for a super token. */
  readonly token: string | ApiToken;
  /** The time limits of each stage of a call; 5, 30 and 30 seconds by default. */
  readonly timeouts?: Partial<UpstreamTimeouts> | undefined;
  /** Retries, total time, queue, ceiling, circuit breaker and cache; `DEFAULT_RESILIENCE` by default. */
  readonly resilience?: Partial<ResilienceOptions> | undefined;
  /** Your own agent, for a proxy or a private certificate authority. `close` does not close it. */
  readonly agent?: Agent | undefined;
  /** The largest answer that is held in memory, 256 MiB by default. Streams have no limit. */
  readonly maxAnswerBytes?: number | undefined;
  /** How imports are encoded: `multipart` by default, `urlencoded` for a proxy that refuses `multipart`. */
  readonly importEncoding?: ImportEncoding | undefined;
  /** Ceiling, circuit breaker and cache shared by several processes; local to this process by default. */
  readonly shared?: ResilienceState | undefined;
  /** Notified of every call. */
  readonly observer?: CallObserver | undefined;
  /** Time and random numbers, for tests. */
  readonly clock?: Clock | undefined;
}

/**
 * Creates a client of one REDCap project. Nothing is sent before the first call. Call `close` when you no longer need
 * it.
 *
 * @throws {ConfigurationError} naming every invalid option, never its value
 */
export function createCrfClient(config: CrfClientConfig): RedcapClient;
/**
 * Creates a client that is typed for a project: `createCrfClient<Project>(…)` with the `Project` that `crf types`
 * writes. It is the same client, but names and values that the project does not have do not compile.
 *
 * @throws {ConfigurationError} naming every invalid option, never its value
 */
export function createCrfClient<P extends ProjectType>(config: CrfClientConfig): ProjectClient<P>;
// The same object in both cases: the knowledge of a project only exists in the types.
export function createCrfClient(config: CrfClientConfig): unknown {
  checkClientConfig(config);
  const { timeouts, agent, maxAnswerBytes, clock = SYSTEM_CLOCK, shared = LOCAL_RESILIENCE } = config;
  const resilience = withDefaults(DEFAULT_RESILIENCE, config.resilience);
  const transport = new RedcapTransport({
    url: ApiUrl(config.url),
    token: ApiToken(config.token),
    timeouts,
    agent,
    maxAnswerBytes,
    clock,
    importEncoding: config.importEncoding,
    maxSockets: resilience.concurrency,
  });
  const observer = config.observer && harmlessObserver(config.observer);
  const sent = observer ? new ObservedTransport(transport, observer) : transport;
  const wire = new ResilientWire(sent, resilience, clock, shared);
  return new RedcapClient(
    observer ? new ObservedWire(wire, observer) : wire,
    new SharedReads(resilience.cacheMs, clock, shared.cacheVersion),
  );
}
