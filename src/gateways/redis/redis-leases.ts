import type { OwedWrites } from './owed-writes.js';
import type { RedisConnection } from './redis-connection.js';
import type { Replica } from './replica.js';
import type { SharedNames } from './shared-names.js';

/** How long a lease is kept if nobody gives it back: longer than any change of a record takes. */
const MAX_MS = 10 * 60 * 1000;

/** Takes all keys, or none if a living replica has one. That of a replica that is gone is taken over. */
const TAKE = `
for _, key in ipairs(KEYS) do
  local holder = redis.call('GET', key)
  if holder and redis.call('EXISTS', ARGV[2] .. string.match(holder, '^[^.]+')) == 1 then return 0 end
end
for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[3]) end
return 1
`;

const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 1
`;

/** The records that the replicas are changing right now. Their ids are digests. */
export class RedisLeases {
  #lastToken = 0;

  constructor(
    private readonly connection: RedisConnection,
    private readonly names: SharedNames,
    private readonly owed: OwedWrites,
    private readonly replica: Pick<Replica, 'id' | 'aliveKeyPrefix'>,
  ) {}

  /**
   * @returns what gives the leases back, also after an outage; undefined if another process has one of them
   * @throws {SharedStateUnavailableError} Redis does not answer
   */
  async take(records: readonly string[]): Promise<(() => Promise<void>) | undefined> {
    const keys = records.map((record) => this.names.keyOf('lease', record));
    const token = `${this.replica.id}.${(this.#lastToken += 1)}`;
    const write = (): Promise<unknown> => this.connection.run(GIVE_BACK, keys, [token]);
    try {
      const taken = await this.connection.run(TAKE, keys, [token, this.replica.aliveKeyPrefix, MAX_MS]);
      return taken === 1 ? () => this.owed.make(token, write) : undefined;
    } catch (error) {
      // Redis may have executed it although there was no answer.
      this.owed.owe(token, write);
      throw error;
    }
  }
}
