import type { Logger } from 'pino';
import type { Settings } from './config/settings.js';
import { ApiToken } from '../domain/identifiers/api-token.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import type { Sandboxes } from './start-sandboxes.js';

/**
 * Connects to Redis if it is configured, and loads the library only then. If Redis is unavailable at the start, it is
 * retried in the background, as after any later outage.
 *
 * @returns undefined without Redis
 */
export async function connectSharedState(
  { redis, capture: sole, projects, appwrite }: Settings,
  sandboxes: Sandboxes | undefined,
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<SharedState | undefined> {
  if (redis === undefined) return undefined;
  const [first] = projects?.byName.values() ?? [];
  const capture = sole ?? first?.capture ?? sandboxes?.capture;
  const { SharedState: Shared } = await import('../gateways/redis/shared-state.js');
  const shared = await Shared.connect({
    ...redis,
    url: () => redis.url.reveal(),
    host: capture && new URL(capture.url).host,
    // Every replica of a project has the token, so no other secret is needed. That of several is the key of the sign-in,
    // which is all that they share, or else the token of the first.
    secret: (projects && appwrite?.apiKey.reveal()) ?? (capture ? ApiToken(capture.token).reveal() : ''),
    onChange: ({ isUp, reason, outages }) => {
      if (isUp) logger.info({ outages }, 'the shared state answers');
      else logger.warn({ reason, outages }, 'the shared state is away');
    },
  });
  const { isUp, reason } = shared.status;
  if (!isUp) logger.warn({ reason }, 'the shared state is away');
  return shared;
}
