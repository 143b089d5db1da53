import { SharedStateUnavailableError, OverloadedError } from '../../domain/errors/operator-errors.js';
import type { CallCeiling } from '../redcap/resilience/minute-ceiling.js';
import { NAMED_SHARE, reserveOf } from '../redcap/resilience/minute-ceiling.js';
import type { SharedParts } from './redis-leases.js';

// KEYS: calls to the host, calls of this project (also counted by the versions before 0.1, so that no ceiling is
// exceeded while replicas are replaced one by one), calls from the reserves of all projects, those from the reserve of
// this one, and calls of a named caller of this project.

/** Returns the time in milliseconds that the caller has to wait, or 0 if the call was counted. */
const TAKE = `
local limit, share, window, is_probe, member = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reserve, projects = tonumber(ARGV[6]), tonumber(ARGV[7])
for _, key in ipairs(KEYS) do redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window) end
local is_reserved = redis.call('ZCARD', KEYS[4]) < reserve
local open = is_reserved and limit or limit - (reserve * projects - redis.call('ZCARD', KEYS[3]))
local full
if redis.call('ZCARD', KEYS[1]) >= open then full = KEYS[1] end
if redis.call('ZCARD', KEYS[2]) >= limit then full = KEYS[2] end
if KEYS[5] and redis.call('ZCARD', KEYS[5]) >= share then full = KEYS[5] end
if full and is_probe == '0' then
  local first = redis.call('ZRANGE', full, 0, 0, 'WITHSCORES')
  return math.max(1, first[2] + window - now)
end
for index, key in ipairs(KEYS) do
  if is_reserved or (index ~= 3 and index ~= 4) then
    redis.call('ZADD', key, now, member)
    redis.call('PEXPIRE', key, window)
  end
end
return 0
`;

const USED = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]))
return redis.call('ZCARD', KEYS[1])
`;

const MINUTE_MS = 60_000;

export interface RedisCeilingOptions {
  /** Calls in any minute, by all processes together; 0 for no ceiling. */
  readonly limit: number;
  /** Counts the calls of this process alone, for Redis outages. */
  readonly local: CallCeiling;
  /** The key of the calls to the host of REDCap, for all projects. */
  readonly hostKey: string;
  /** The key of those from the reserves of the projects. */
  readonly reservedKey: string;
  /** The number of projects that this process has there. */
  readonly projects: number;
}

/**
 * The ceiling on calls to the host of a REDCap for all replicas of all its projects together, by the clock of Redis. During a Redis outage each process
 * applies its own ceiling, which includes the calls it made before.
 */
export class RedisCeiling implements CallCeiling {
  #calls = 0;

  constructor(
    private readonly shared: SharedParts,
    private readonly options: RedisCeilingOptions,
  ) {}

  async take(caller: string | undefined, isProbe = false): Promise<void> {
    const { limit, local, hostKey, reservedKey, projects } = this.options;
    if (limit === 0) return;
    const share = Math.max(1, Math.floor(limit * NAMED_SHARE));
    const keys = [
      hostKey,
      this.shared.names.keyOf('calls'),
      reservedKey,
      this.shared.names.keyOf('calls-reserved'),
      ...(caller === undefined ? [] : [this.shared.names.keyOf('calls-of', caller)]),
    ];
    const member = `${this.shared.replica.id}.${(this.#calls += 1)}`;
    let waitMs: number;
    try {
      waitMs = Number(
        await this.shared.connection.run(TAKE, keys, [
          ...[limit, share, MINUTE_MS, isProbe ? 1 : 0, member],
          ...[reserveOf(limit, projects), projects],
        ]),
      );
    } catch (error) {
      if (!(error instanceof SharedStateUnavailableError)) throw error;
      return local.take(caller, isProbe);
    }
    if (waitMs > 0) throw new OverloadedError({ retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    // Counted as a probe, which is never refused.
    await local.take(caller, true);
  }

  async used(): Promise<number> {
    const { local, hostKey } = this.options;
    try {
      return Number(await this.shared.connection.run(USED, [hostKey], [MINUTE_MS]));
    } catch (error) {
      if (!(error instanceof SharedStateUnavailableError)) throw error;
      return local.used();
    }
  }
}
