import { randomBytes } from 'node:crypto';
import type { Clock } from '../redcap/resilience/clock.js';
import { MinuteCeiling } from '../redcap/resilience/minute-ceiling.js';
import { LOCAL_RESILIENCE, type ResilienceState } from '../redcap/resilience/resilience-options.js';
import { SharedStateUnavailableError } from '../../domain/errors/operator-errors.js';
import type { CacheVersion } from '../redcap/resilience/shared-reads.js';
import { OwedWrites } from './owed-writes.js';
import { RedisCeiling } from './redis-ceiling.js';
import { RedisConnection, type SharedStateStatus } from './redis-connection.js';
import { RedisIdempotencyStore } from './redis-idempotency-store.js';
import { RedisKeyValueStore } from './redis-key-value-store.js';
import { RedisLeases, Replica, type SharedParts } from './redis-leases.js';
import { SharedNames } from './shared-names.js';

interface SharedStateOptions {
  /**
   * `redis://` or `rediss://`, with user name and password if required. A function is called for each connection, whose
   * user name and password may change.
   */
  readonly url: string | (() => string);
  /** The beginning of every key; `crf:` by default. */
  readonly keyPrefix?: string | undefined;
  /** The secret for digesting names and encrypting values; the same in all processes that share the state. */
  readonly secret: string;
  /**
   * The host of REDCap, whose limit on calls all projects there share. By default, the project shares it with no other.
   */
  readonly host?: string | undefined;
  /** How long a command may take; 1000 ms by default. */
  readonly timeoutMs?: number | undefined;
  /** Called when the connection to Redis is lost or restored. */
  readonly onChange?: ((status: SharedStateStatus) => void) | undefined;
}

/** The state of one project of a process that has several. */
interface ProjectStateOptions extends Pick<SharedStateOptions, 'keyPrefix' | 'secret' | 'host'> {
  /** How many projects of the process are at the host. */
  readonly projects: number;
}

/** The state that the replicas of a service share through one Redis. */
export class SharedState {
  /** Not called directly; use `connect`. */
  constructor(
    private readonly shared: SharedParts,
    private readonly hostKey: (kind: string) => string,
    private readonly projects = 1,
  ) {}

  /** Connects. Also resolves if Redis is down, which is then probed in the background. */
  static async connect(options: SharedStateOptions): Promise<SharedState> {
    const names = new SharedNames(options.keyPrefix ?? 'crf:', options.secret);
    const hostKey = hostKeysOf(names, options.host);
    const replica = new Replica(names, hostKey('replicas'));
    const connection = await RedisConnection.open({
      url: options.url,
      timeoutMs: options.timeoutMs,
      onChange: options.onChange,
      probe: (send) => replica.signOfLife(send),
    });
    const owed = new OwedWrites(() => connection.status.isUp);
    connection.onUp(() => void owed.settle());
    replica.start((command) => connection.send(command));
    return new SharedState({ connection, names, owed, replica }, hostKey);
  }

  /**
   * Returns the state of one of several projects, on the same connection. What it keeps has names and keys of its own.
   *
   * @param options of the project, and how many projects this process has at its host
   */
  ofProject({ keyPrefix = 'crf:', secret, host, projects }: ProjectStateOptions): SharedState {
    const names = new SharedNames(keyPrefix, secret);
    return new SharedState({ ...this.shared, names }, hostKeysOf(names, host), projects);
  }

  /** The status of Redis, the number of replicas and of outstanding writes. */
  get status(): SharedStateStatus & { readonly replicas: number; readonly owedWrites: number } {
    const { connection, replica, owed } = this.shared;
    return { ...connection.status, replicas: replica.count, owedWrites: owed.size };
  }

  /** Creates the store of one limit. */
  readonly limitStore = (limit: { readonly name: string; readonly windowMs: number }): RedisLimitStore =>
    new RedisLimitStore(this.shared, limit);

  /** Creates the store of one kind of values. */
  readonly keyValueStore = (kind: string): RedisKeyValueStore => new RedisKeyValueStore(this.shared, kind);

  idempotencyStore<Result>(): RedisIdempotencyStore<Result> {
    return new RedisIdempotencyStore(this.shared);
  }

  leases(): RedisLeases {
    return new RedisLeases(this.shared);
  }

  /**
   * The ceiling of calls to the host of REDCap and the cache version of this project, shared by all replicas. Each of them
   * finds an outage of REDCap itself (SHARE-01).
   */
  get resilience(): ResilienceState {
    const { shared } = this;
    return {
      ...LOCAL_RESILIENCE,
      ceiling: (limit: number, clock: Clock) => {
        // During an outage each replica gets its share of the ceiling: exceeding it would get us banned by REDCap.
        const local = new MinuteCeiling(limit, clock, () => shared.replica.count * this.projects);
        return new RedisCeiling(shared, {
          ...{ limit, local, projects: this.projects },
          hostKey: this.hostKey('calls'),
          reservedKey: this.hostKey('calls-reserved'),
        });
      },
      cacheVersion: new RedisCacheVersion(shared),
    };
  }

  /** @throws {SharedStateUnavailableError} Redis does not answer */
  async ping(): Promise<void> {
    await this.shared.connection.send(['PING']);
  }

  /**
   * Makes the outstanding writes as far as possible, and disconnects. Call it when no requests are in progress any
   * more.
   */
  async close(): Promise<void> {
    const { connection, owed, replica } = this.shared;
    await owed.settle();
    owed.close();
    await replica.leave((command) => connection.send(command)).catch(() => undefined);
    connection.close();
  }
}

function hostKeysOf(names: SharedNames, host: string | undefined): (kind: string) => string {
  return (kind) => (host === undefined ? names.keyOf(`${kind}-all`) : names.keyOfHost(kind, host));
}

/** Longer than any answer is cached. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** The version of the project structure that the caches of all replicas can hold. Each write starts a new version. */
class RedisCacheVersion implements CacheVersion {
  readonly #key: string;

  constructor(private readonly shared: SharedParts) {
    this.#key = shared.names.keyOf('cache-version');
  }

  async current(): Promise<string | undefined> {
    try {
      const version = await this.shared.connection.send(['GET', this.#key]);
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
      this.shared.connection.send([
        'SET',
        this.#key,
        randomBytes(9).toString('base64url'),
        'PX',
        String(DAY_MS),
      ]);
    await this.shared.owed.make(this.#key, write);
  }
}

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
    private readonly shared: SharedParts,
    private readonly limit: { readonly name: string; readonly windowMs: number },
  ) {}

  /** @throws {SharedStateUnavailableError} */
  async get(key: string): Promise<CountedHits | undefined> {
    const counted = toHits(await this.shared.connection.run(GET, [this.#keyOf(key)], []));
    return counted.totalHits === 0 ? undefined : counted;
  }

  /** @throws {SharedStateUnavailableError} the hit may have been counted */
  async increment(key: string): Promise<CountedHits> {
    return toHits(await this.shared.connection.run(INCREMENT, [this.#keyOf(key)], [this.limit.windowMs]));
  }

  #keyOf(key: string): string {
    return this.shared.names.keyOf(`limit:${this.limit.name}`, key);
  }
}

function toHits(reply: unknown): CountedHits {
  const [totalHits = 0, leftMs = 0] = reply as readonly number[];
  return { totalHits, resetTime: new Date(Date.now() + leftMs) };
}
