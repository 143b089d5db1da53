import { randomBytes } from 'node:crypto';
import { SharedStateUnavailableError } from '../../errors/operator-errors.js';
import type { CacheVersion } from '../redcap/resilience/cache-version.js';
import type { OwedWrites } from './owed-writes.js';
import type { RedisConnection } from './redis-connection.js';
import type { SharedNames } from './shared-names.js';

/** Longer than any cache remembers. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Which version of the project's structure the caches of all replicas may hold: each write makes another. */
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
      // Without a version there is the empty one: also after Redis has lost the last.
      return typeof version === 'string' ? version : '';
    } catch (error) {
      if (error instanceof SharedStateUnavailableError) return undefined;
      throw error;
    }
  }

  async renew(): Promise<void> {
    // Random: a number that starts from zero again might be the old one.
    const write = (): Promise<unknown> =>
      this.connection.send(['SET', this.#key, randomBytes(9).toString('base64url'), 'PX', String(DAY_MS)]);
    try {
      await write();
    } catch {
      this.owed.owe(this.#key, write);
    }
  }
}
