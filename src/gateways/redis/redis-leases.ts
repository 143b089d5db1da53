import { randomBytes } from 'node:crypto';
import type { OwedWrites } from './owed-writes.js';
import type { RedisConnection } from './redis-connection.js';
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

/** What the stores of one project have in common. */
export interface SharedParts {
  readonly connection: RedisConnection;
  readonly names: SharedNames;
  readonly owed: OwedWrites;
  readonly replica: Replica;
}

/** The records that the replicas are changing right now. Their ids are digests. */
export class RedisLeases {
  #lastToken = 0;

  constructor(private readonly shared: SharedParts) {}

  /**
   * @returns what gives the leases back, also after an outage; undefined if another process has one of them
   * @throws {SharedStateUnavailableError} Redis does not answer
   */
  async take(records: readonly string[]): Promise<(() => Promise<void>) | undefined> {
    const { connection, names, owed, replica } = this.shared;
    const keys = records.map((record) => names.keyOf('lease', record));
    const token = `${replica.id}.${(this.#lastToken += 1)}`;
    const write = (): Promise<unknown> => connection.run(GIVE_BACK, keys, [token]);
    try {
      const taken = await connection.run(TAKE, keys, [token, replica.aliveKeyPrefix, MAX_MS]);
      return taken === 1 ? () => owed.make(token, write) : undefined;
    } catch (error) {
      // Redis may have executed it although there was no answer.
      owed.owe(token, write);
      throw error;
    }
  }
}

/** How long a replica counts as alive after its last heartbeat. */
const ALIVE_MS = 6_000;
/** How often a replica sends a heartbeat. */
const SIGN_MS = 2_000;

const SIGN_OF_LIFE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[1], '1', 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return redis.call('ZCARD', KEYS[2])
`;

/** This process as one of the replicas. It sends heartbeats and knows how many replicas are alive. */
export class Replica {
  /** New in every process, so a restarted process is a different replica. */
  readonly id = randomBytes(9).toString('base64url');
  readonly aliveKeyPrefix: string;
  readonly #replicasKey: string;
  #count = 1;
  #timer: NodeJS.Timeout | undefined;

  /** @param replicasKey lists the live processes that call the same REDCap */
  constructor(names: SharedNames, replicasKey: string) {
    this.aliveKeyPrefix = `${names.keyOf('alive')}:`;
    this.#replicasKey = replicasKey;
  }

  /** The number of live processes that call the same REDCap according to the last heartbeat, including this one. */
  get count(): number {
    return this.#count;
  }

  /** Sends a heartbeat. It is a write, so it fails if Redis cannot store anything. */
  async signOfLife(send: (command: readonly string[]) => Promise<unknown>): Promise<void> {
    const keys = [`${this.aliveKeyPrefix}${this.id}`, this.#replicasKey];
    const reply = await send(['EVAL', SIGN_OF_LIFE, '2', ...keys, this.id, String(ALIVE_MS)]);
    this.#count = Math.max(1, Number(reply));
  }

  /** Starts sending heartbeats. */
  start(send: (command: readonly string[]) => Promise<unknown>): void {
    this.#timer = setInterval(() => void this.signOfLife(send).catch(() => undefined), SIGN_MS).unref();
  }

  /**
   * Stops the heartbeats. The other replicas can take over this one's keys immediately and share its part of the
   * limits.
   */
  async leave(send: (command: readonly string[]) => Promise<unknown>): Promise<void> {
    clearInterval(this.#timer);
    await send(['ZREM', this.#replicasKey, this.id]);
    await send(['DEL', `${this.aliveKeyPrefix}${this.id}`]);
  }
}
