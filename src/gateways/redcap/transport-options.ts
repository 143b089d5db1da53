import type { Agent as HttpAgent } from 'node:http';
import type { ApiToken } from '../../identifiers/api-token.js';
import type { ApiUrl } from '../../identifiers/api-url.js';
import type { Clock } from './resilience/clock.js';
import type { UpstreamTimeouts } from './upstream-timeouts.js';

export interface RedcapTransportOptions {
  readonly url: ApiUrl;
  readonly token: ApiToken;
  readonly timeouts?: Partial<UpstreamTimeouts> | undefined;
  /** The maximum number of connections; 8 by default. */
  readonly maxSockets?: number | undefined;
  /** The caller's own agent, for a proxy or a private certificate authority. It is not closed by `close`. */
  readonly agent?: HttpAgent | undefined;
  /** The largest answer that is held in memory, 64 MiB by default. Streams have no limit. */
  readonly maxAnswerBytes?: number | undefined;
  /** The clock that measures the time limits; the system's clock by default. */
  readonly clock?: Clock | undefined;
  /** How imports are sent; `multipart` by default. */
  readonly importEncoding?: ImportEncoding | undefined;
}

/** How an import is encoded. `urlencoded` is about twice as long; it is for proxies that refuse `multipart`. */
export type ImportEncoding = 'multipart' | 'urlencoded';
