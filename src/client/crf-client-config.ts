import type { Agent } from 'node:http';
import type { CallObserver } from '../gateways/redcap/observed/call-observer.js';
import type { Clock } from '../gateways/redcap/resilience/clock.js';
import type { ResilienceOptions } from '../gateways/redcap/resilience/resilience-options.js';
import type { ResilienceState } from '../gateways/redcap/resilience/resilience-state.js';
import type { ImportEncoding } from '../gateways/redcap/redcap-transport.js';
import type { UpstreamTimeouts } from '../gateways/redcap/http-exchange.js';
import type { ApiToken } from '../domain/identifiers/api-token.js';
import type { ApiUrl } from '../domain/identifiers/api-url.js';

/** The options of `createCrfClient`. Only `url` and `token` are required. */
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
  /** The largest answer that is held in memory, 64 MiB by default. Streams have no limit. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * How imports are encoded: `multipart` by default, `urlencoded` for a proxy that refuses `multipart`. Then `importData`
   * refuses bytes that are not UTF-8.
   */
  readonly importEncoding?: ImportEncoding | undefined;
  /** Ceiling, circuit breaker and cache shared by several processes; local to this process by default. */
  readonly shared?: ResilienceState | undefined;
  /** Notified of every call. */
  readonly observer?: CallObserver | undefined;
  /** Time and random numbers, for tests. */
  readonly clock?: Clock | undefined;
}
