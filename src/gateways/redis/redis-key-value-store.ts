import { SharedStateUnavailableError } from '../../domain/errors/operator-errors.js';
import type { OwedWrites } from './owed-writes.js';
import type { RedisConnection } from './redis-connection.js';
import type { SharedNames } from './shared-names.js';

const DELETE_IF = `
local value = redis.call('GET', KEYS[1])
if value and string.sub(value, 1, #ARGV[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;

const COUNT = `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return count
`;

/** Small values of one kind in Redis, encrypted, each with a time to live. */
export class RedisKeyValueStore {
  constructor(
    private readonly connection: RedisConnection,
    private readonly names: SharedNames,
    private readonly owed: OwedWrites,
    private readonly kind: string,
  ) {}

  async get(name: string): Promise<string | undefined> {
    const key = this.#keyOf(name);
    const sealed = await this.connection.send(['GET', key]);
    return typeof sealed === 'string' ? this.names.unseal(key, sealed) : undefined;
  }

  set(name: string, value: string, ttlMs: number): Promise<void> {
    return this.owed.replace(this.#keyOf(name), () => this.#set(name, value, ttlMs));
  }

  keep(name: string, value: string, ttlMs: number): Promise<void> {
    return this.owed.make(this.#keyOf(name), () => this.#set(name, value, ttlMs));
  }

  async add(name: string, value: string, ttlMs: number): Promise<boolean> {
    const key = this.#keyOf(name);
    const sealed = this.names.seal(key, value);
    try {
      const reply = await this.connection.send(['SET', key, sealed, 'NX', 'PX', String(ttlMs)]);
      return reply === 'OK';
    } catch (error) {
      // Redis may have stored the value although there was no answer. Nobody uses it then, so it is deleted later.
      if (error instanceof SharedStateUnavailableError) {
        this.owed.owe(this.#nameOfDelete(name, value), () => this.#delete(name, value));
      }
      throw error;
    }
  }

  delete(name: string, value?: string): Promise<void> {
    return this.owed.replace(this.#nameOfDelete(name, value), () => this.#delete(name, value));
  }

  discard(name: string, value?: string): Promise<void> {
    return this.owed.make(this.#nameOfDelete(name, value), () => this.#delete(name, value));
  }

  async count(name: string, ttlMs: number, by = 1): Promise<number> {
    return Number(await this.connection.run(COUNT, [this.#keyOf(name)], [by, ttlMs]));
  }

  async #set(name: string, value: string, ttlMs: number): Promise<void> {
    const key = this.#keyOf(name);
    await this.connection.send(['SET', key, this.names.seal(key, value), 'PX', String(ttlMs)]);
  }

  async #delete(name: string, value: string | undefined): Promise<void> {
    const key = this.#keyOf(name);
    if (value === undefined) await this.connection.send(['DEL', key]);
    else await this.connection.run(DELETE_IF, [key], [this.names.tagOf(key, value)]);
  }

  /** The deletion of one value leaves later ones alone, so it does not take the place of other owed writes. */
  #nameOfDelete(name: string, value: string | undefined): string {
    const key = this.#keyOf(name);
    return value === undefined ? key : `${key} ${this.names.tagOf(key, value)}`;
  }

  #keyOf(name: string): string {
    return this.names.keyOf(this.kind, name);
  }
}
