import type { RedisConnection } from './redis-connection.js';
import type { SharedNames } from './shared-names.js';

/** Longer than any command may take, because the connection has its own time limit. */
const NEVER_REACHED_MS = 60_000;

const INCREMENT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {hits, left}
`;

const GET = `
local hits = redis.call('GET', KEYS[1])
if not hits then return {0, 0} end
return {tonumber(hits), redis.call('PTTL', KEYS[1])}
`;

/** The hits counted for one key. */
export interface CountedHits {
  readonly totalHits: number;
  readonly resetTime: Date;
}

/** Counts the hits of one limit for all processes together, in windows that start with the first hit (RATE-06). */
export class RedisLimitStore {
  /** Never reached: the connection gives up earlier. */
  readonly timeoutMs = NEVER_REACHED_MS;

  constructor(
    private readonly connection: RedisConnection,
    private readonly names: SharedNames,
    private readonly limit: { readonly name: string; readonly windowMs: number },
  ) {}

  /** @throws {SharedStateUnavailableError} */
  async get(key: string): Promise<CountedHits | undefined> {
    const counted = toHits(await this.connection.run(GET, [this.#keyOf(key)], []));
    return counted.totalHits === 0 ? undefined : counted;
  }

  /** @throws {SharedStateUnavailableError} the hit may have been counted */
  async increment(key: string): Promise<CountedHits> {
    return toHits(await this.connection.run(INCREMENT, [this.#keyOf(key)], [this.limit.windowMs]));
  }

  #keyOf(key: string): string {
    return this.names.keyOf(`limit:${this.limit.name}`, key);
  }
}

function toHits(reply: unknown): CountedHits {
  const [totalHits = 0, leftMs = 0] = reply as readonly number[];
  return { totalHits, resetTime: new Date(Date.now() + leftMs) };
}
