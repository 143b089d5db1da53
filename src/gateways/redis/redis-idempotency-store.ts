import { ProblemError } from '../../domain/errors/problem-error.js';
import type { SharedParts } from './redis-leases.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long a replica must be missing before its keys are reassigned. Longer than a reconnection takes. */
const MISSING_MS = 5_000;

const RESERVE = `
local key, token, owner, ttl, missing_ms, alive = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local state, holder, once, since, result = unpack(redis.call('HMGET', key, 'state', 'owner', 'once', 'since', 'result'))
if not state then
  redis.call('HSET', key, 'state', 'running', 'token', token, 'owner', owner)
  redis.call('PEXPIRE', key, ttl)
  return {'reserved'}
end
if state == 'done' then return {'done', result} end
if redis.call('EXISTS', alive .. holder) == 1 then
  redis.call('HDEL', key, 'since')
  return {'running', redis.call('HGET', key, 'token')}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if not since then
  redis.call('HSET', key, 'since', now)
  return {'running'}
end
if now - since < missing_ms then return {'running'} end
if once then return {'lost'} end
redis.call('HSET', key, 'token', token, 'owner', owner)
redis.call('HDEL', key, 'since')
redis.call('PEXPIRE', key, ttl)
return {'reserved'}
`;

/** Renews the hold on a key, also after Redis has lost it, and marks it if its work must run only once. */
const HOLD = `
local state, held = unpack(redis.call('HMGET', KEYS[1], 'state', 'token'))
if state and held ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', 'running', 'token', ARGV[1], 'owner', ARGV[2])
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'once', '1') end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

const COMPLETE = `
local state, held = unpack(redis.call('HMGET', KEYS[1], 'state', 'token'))
if state and held ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'state', 'done', 'result', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
`;

const RELEASE = `
if redis.call('HGET', KEYS[1], 'token') == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;

/** This process's hold on a key. */
interface Hold<Result> {
  readonly token: string;
  isOnce: boolean;
  /** The outcome, if it is not stored in Redis yet. */
  result?: Result;
}

type Reservation<Result> =
  { readonly state: 'reserved' | 'running' | 'lost' } | { readonly state: 'done'; readonly result: Result };

/**
 * Stores the outcomes of requests with an Idempotency-Key for all replicas. Of any number of callers, only one gets
 * `reserved`.
 *
 * A key belongs to a replica. When that replica is gone, the key is reassigned, unless the work may have stored rows
 * that a second run would store again; then the key is `lost`. Keys are stored as digests, outcomes are encrypted.
 */
export class RedisIdempotencyStore<Result> {
  readonly #held = new Map<string, Hold<Result>>();
  /** Tokens of reservations that are waiting for an answer from Redis. */
  readonly #asking = new Set<string>();
  #lastToken = 0;

  constructor(private readonly shared: SharedParts) {
    shared.connection.onUp(() => void this.#holdAgain());
  }

  /** @throws {SharedStateUnavailableError} the key is not held by this process; another may hold it */
  async reserve(key: string): Promise<Reservation<Result>> {
    const held = this.#held.get(key);
    if (held !== undefined) {
      return held.result === undefined ? { state: 'running' } : { state: 'done', result: held.result };
    }
    const answer = await this.#ask(key);
    // A leftover is a key that this process took during an outage without learning of it. It is given back.
    if (answer.leftover === undefined) return answer.reservation;
    await this.#giveBack(key, answer.leftover);
    return (await this.#ask(key)).reservation;
  }

  /**
   * Marks the following work as work that must not be done twice.
   *
   * @throws {SharedStateUnavailableError} the mark could not be stored
   * @throws {ProblemError} `idempotency_key_in_use`: the key has been reassigned in the meantime
   */
  async markOnce(key: string): Promise<void> {
    const hold = this.#held.get(key);
    if (hold === undefined) throw new ProblemError('idempotency_key_in_use');
    if (hold.isOnce) return;
    if (!(await this.#hold(key, hold.token, true))) throw new ProblemError('idempotency_key_in_use');
    hold.isOnce = true;
  }

  /** Never fails: an outcome that Redis cannot store now is kept here and written when Redis is back. */
  async complete(key: string, result: Result): Promise<void> {
    const hold = this.#held.get(key);
    if (hold === undefined) return;
    hold.result = result;
    const name = this.#keyOf(key);
    const value = this.shared.names.seal(name, JSON.stringify(result));
    await this.shared.owed.make(name, async () => {
      await this.shared.connection.run(COMPLETE, [name], [hold.token, value, DAY_MS]);
      this.#held.delete(key);
    });
  }

  /** Never fails, like `complete`. */
  async release(key: string): Promise<void> {
    const hold = this.#held.get(key);
    if (hold === undefined) return;
    this.#held.delete(key);
    await this.shared.owed.make(`${this.#keyOf(key)} ${hold.token}`, () => this.#giveBack(key, hold.token));
  }

  async #ask(
    key: string,
  ): Promise<{ readonly reservation: Reservation<Result>; readonly leftover?: string | undefined }> {
    const name = this.#keyOf(key);
    const token = `${this.shared.replica.id}.${(this.#lastToken += 1)}`;
    const { id, aliveKeyPrefix } = this.shared.replica;
    this.#asking.add(token);
    let reply: readonly string[];
    try {
      const values = [token, id, DAY_MS, MISSING_MS, aliveKeyPrefix];
      reply = (await this.shared.connection.run(RESERVE, [name], values)) as readonly string[];
    } catch (error) {
      // Redis may have executed it although there was no answer.
      this.shared.owed.owe(`${name} ${token}`, () => this.#giveBack(key, token));
      throw error;
    } finally {
      this.#asking.delete(token);
    }
    const [state, value = ''] = reply;
    if (state === 'reserved') {
      this.#held.set(key, { token, isOnce: false });
      return { reservation: { state } };
    }
    if (state === 'done') return { reservation: this.#read(name, value) };
    if (state === 'lost') return { reservation: { state } };
    return { reservation: { state: 'running' }, leftover: this.#isLeftover(key, value) ? value : undefined };
  }

  #isLeftover(key: string, token: string): boolean {
    const isOurs = token.startsWith(`${this.shared.replica.id}.`);
    return isOurs && !this.#asking.has(token) && this.#held.get(key)?.token !== token;
  }

  /** Reads an outcome. One that was sealed with another secret cannot be read here. */
  #read(name: string, sealed: string): Reservation<Result> {
    const text = this.shared.names.unseal(name, sealed);
    // Written by `complete`: only processes with the secret can seal a value.
    return text === undefined ? { state: 'lost' } : { state: 'done', result: JSON.parse(text) as Result };
  }

  async #hold(key: string, token: string, isOnce: boolean): Promise<boolean> {
    const values = [token, this.shared.replica.id, DAY_MS, isOnce ? 1 : 0];
    return (await this.shared.connection.run(HOLD, [this.#keyOf(key)], values)) === 1;
  }

  /** Renews all holds, so that a Redis that has lost its data does not reassign the keys of requests running here. */
  async #holdAgain(): Promise<void> {
    const running = [...this.#held].filter(([, { result }]) => result === undefined);
    await Promise.allSettled(running.map(([key, { token, isOnce }]) => this.#hold(key, token, isOnce)));
  }

  async #giveBack(key: string, token: string): Promise<void> {
    await this.shared.connection.run(RELEASE, [this.#keyOf(key)], [token]);
  }

  #keyOf(key: string): string {
    return this.shared.names.keyOf('idempotency', key);
  }
}
