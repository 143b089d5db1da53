import { randomBytes } from 'node:crypto';
import { SharedStateUnavailableError } from '../../domain/errors/operator-errors.js';
import type { CacheVersion } from '../redcap/resilience/shared-reads.js';
import type { OwedWrites } from './owed-writes.js';
import type { RedisConnection } from './redis-connection.js';
import type { SharedNames } from './shared-names.js';

/** Longer than any answer is cached. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** The version of the project structure that the caches of all replicas can hold. Each write starts a new version. */
export class RedisCacheVersion implements CacheVersion {
  readonly #key: string;

  constructor(
    private readonly connection: RedisConnection,
    names: SharedNames,
    private readonly owed: OwedWrites,
  ) {
    this.#key = names.keyOf('cache-version');
  }

  async current(): Promise<string | undefined> {
    try {
      const version = await this.connection.send(['GET', this.#key]);
      // A missing version is the empty one, also after Redis has lost the last one.
      return typeof version === 'string' ? version : '';
    } catch (error) {
      if (error instanceof SharedStateUnavailableError) return undefined;
      throw error;
    }
  }

  async renew(): Promise<void> {
    // Random, because a number that starts again from zero could repeat an old version.
    const write = (): Promise<unknown> =>
      this.connection.send(['SET', this.#key, randomBytes(9).toString('base64url'), 'PX', String(DAY_MS)]);
    await this.owed.make(this.#key, write);
  }
}
