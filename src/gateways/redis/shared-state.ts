import type { Clock } from '../redcap/resilience/clock.js';
import { MinuteCeiling } from '../redcap/resilience/minute-ceiling.js';
import { LOCAL_RESILIENCE, type ResilienceState } from '../redcap/resilience/resilience-state.js';
import { OwedWrites } from './owed-writes.js';
import { RedisCacheVersion } from './redis-cache-version.js';
import { RedisCeiling } from './redis-ceiling.js';
import { RedisConnection, type SharedStateStatus } from './redis-connection.js';
import { RedisIdempotencyStore } from './redis-idempotency-store.js';
import { RedisKeyValueStore } from './redis-key-value-store.js';
import { RedisLeases } from './redis-leases.js';
import { RedisLimitStore } from './redis-limits.js';
import { Replica } from './replica.js';
import { SharedNames } from './shared-names.js';

export interface SharedStateOptions {
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
export interface ProjectStateOptions extends Pick<SharedStateOptions, 'keyPrefix' | 'secret' | 'host'> {
  /** How many projects of the process are at the host. */
  readonly projects: number;
}

/** The state that the replicas of a service share through one Redis. */
export class SharedState {
  readonly #connection: RedisConnection;
  readonly #names: SharedNames;
  readonly #owed: OwedWrites;
  readonly #replica: Replica;

  /** Not called directly; use `connect`. */
  constructor(
    connection: RedisConnection,
    names: SharedNames,
    owed: OwedWrites,
    replica: Replica,
    private readonly hostKey: (kind: string) => string,
    private readonly projects = 1,
  ) {
    this.#connection = connection;
    this.#names = names;
    this.#owed = owed;
    this.#replica = replica;
  }

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
    return new SharedState(connection, names, owed, replica, hostKey);
  }

  /**
   * Returns the state of one of several projects, on the same connection. What it keeps has names and keys of its own.
   *
   * @param options of the project, and how many projects this process has at its host
   */
  ofProject({ keyPrefix = 'crf:', secret, host, projects }: ProjectStateOptions): SharedState {
    const names = new SharedNames(keyPrefix, secret);
    const hostKey = hostKeysOf(names, host);
    return new SharedState(this.#connection, names, this.#owed, this.#replica, hostKey, projects);
  }

  /** The status of Redis, the number of replicas and of outstanding writes. */
  get status(): SharedStateStatus & { readonly replicas: number; readonly owedWrites: number } {
    return { ...this.#connection.status, replicas: this.#replica.count, owedWrites: this.#owed.size };
  }

  /** Creates the store of one limit. */
  readonly limitStore = (limit: { readonly name: string; readonly windowMs: number }): RedisLimitStore =>
    new RedisLimitStore(this.#connection, this.#names, limit);

  /** Creates the store of one kind of values. */
  readonly keyValueStore = (kind: string): RedisKeyValueStore =>
    new RedisKeyValueStore(this.#connection, this.#names, this.#owed, kind);

  idempotencyStore<Result>(): RedisIdempotencyStore<Result> {
    return new RedisIdempotencyStore(this.#connection, this.#names, this.#owed, this.#replica);
  }

  leases(): RedisLeases {
    return new RedisLeases(this.#connection, this.#names, this.#owed, this.#replica);
  }

  /**
   * The ceiling of calls to the host of REDCap and the cache version of this project, shared by all replicas. Each of them
   * finds an outage of REDCap itself (SHARE-01).
   */
  get resilience(): ResilienceState {
    const [connection, names, owed, replica] = [this.#connection, this.#names, this.#owed, this.#replica];
    return {
      ...LOCAL_RESILIENCE,
      ceiling: (limit: number, clock: Clock) => {
        // During an outage each replica gets its share of the ceiling: exceeding it would get us banned by REDCap.
        const local = new MinuteCeiling(limit, clock, () => replica.count * this.projects);
        return new RedisCeiling(connection, names, {
          ...{ limit, local, projects: this.projects, processId: replica.id },
          hostKey: this.hostKey('calls'),
          reservedKey: this.hostKey('calls-reserved'),
        });
      },
      cacheVersion: new RedisCacheVersion(connection, names, owed),
    };
  }

  /** @throws {SharedStateUnavailableError} Redis does not answer */
  async ping(): Promise<void> {
    await this.#connection.send(['PING']);
  }

  /**
   * Makes the outstanding writes as far as possible, and disconnects. Call it when no requests are in progress any
   * more.
   */
  async close(): Promise<void> {
    await this.#owed.settle();
    this.#owed.close();
    await this.#replica.leave((command) => this.#connection.send(command)).catch(() => undefined);
    this.#connection.close();
  }
}

function hostKeysOf(names: SharedNames, host: string | undefined): (kind: string) => string {
  return (kind) => (host === undefined ? names.keyOf(`${kind}-all`) : names.keyOfHost(kind, host));
}
