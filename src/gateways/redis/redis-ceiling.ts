import { SharedStateUnavailableError, OverloadedError } from '../../errors/operator-errors.js';
import type { CallCeiling } from '../redcap/resilience/call-ceiling.js';
import { NAMED_SHARE } from '../redcap/resilience/minute-ceiling.js';
import type { RedisConnection } from './redis-connection.js';
import type { SharedNames } from './shared-names.js';

/** Returns the time in milliseconds that the caller has to wait, or 0 if the call was counted. */
const TAKE = `
local limit, share, window, is_probe, member = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, key in ipairs(KEYS) do redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window) end
local full
if #KEYS == 2 and redis.call('ZCARD', KEYS[2]) >= share then full = KEYS[2]
elseif redis.call('ZCARD', KEYS[1]) >= limit then full = KEYS[1] end
if full and is_probe == '0' then
  local first = redis.call('ZRANGE', full, 0, 0, 'WITHSCORES')
  return math.max(1, first[2] + window - now)
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, now, member)
  redis.call('PEXPIRE', key, window)
end
return 0
`;

const MINUTE_MS = 60_000;

export interface RedisCeilingOptions {
  /** Calls in any minute, by all processes together; 0 for no ceiling. */
  readonly limit: number;
  /** Counts the calls of this process alone, for Redis outages. */
  readonly local: CallCeiling;
  /** Unique to this process. */
  readonly processId: string;
}

/**
 * The ceiling on calls to REDCap for all replicas together, by the clock of Redis. During a Redis outage each process
 * applies its own ceiling, which includes the calls it made before.
 */
export class RedisCeiling implements CallCeiling {
  #calls = 0;

  constructor(
    private readonly connection: RedisConnection,
    private readonly names: SharedNames,
    private readonly options: RedisCeilingOptions,
  ) {}

  async take(caller: string | undefined, isProbe = false): Promise<void> {
    const { limit, local, processId } = this.options;
    if (limit === 0) return;
    const share = Math.max(1, Math.floor(limit * NAMED_SHARE));
    const keys = [
      this.names.keyOf('calls'),
      ...(caller === undefined ? [] : [this.names.keyOf('calls-of', caller)]),
    ];
    const member = `${processId}.${(this.#calls += 1)}`;
    let waitMs: number;
    try {
      waitMs = Number(
        await this.connection.run(TAKE, keys, [limit, share, MINUTE_MS, isProbe ? 1 : 0, member]),
      );
    } catch (error) {
      if (!(error instanceof SharedStateUnavailableError)) throw error;
      return local.take(caller, isProbe);
    }
    if (waitMs > 0) throw new OverloadedError({ retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    // Counted as a probe, which is never refused.
    await local.take(caller, true);
  }
}
