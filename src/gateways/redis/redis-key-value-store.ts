import { SharedStateUnavailableError } from '../../domain/errors/operator-errors.js';
import type { SharedParts } from './redis-leases.js';

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
    private readonly shared: SharedParts,
    private readonly kind: string,
  ) {}

  async get(name: string): Promise<string | undefined> {
    const key = this.#keyOf(name);
    const sealed = await this.shared.connection.send(['GET', key]);
    return typeof sealed === 'string' ? this.shared.names.unseal(key, sealed) : undefined;
  }

  set(name: string, value: string, ttlMs: number): Promise<void> {
    return this.shared.owed.replace(this.#keyOf(name), () => this.#set(name, value, ttlMs));
  }

  keep(name: string, value: string, ttlMs: number): Promise<void> {
    return this.shared.owed.make(this.#keyOf(name), () => this.#set(name, value, ttlMs));
  }

  async add(name: string, value: string, ttlMs: number): Promise<boolean> {
    const key = this.#keyOf(name);
    const sealed = this.shared.names.seal(key, value);
    try {
      const reply = await this.shared.connection.send(['SET', key, sealed, 'NX', 'PX', String(ttlMs)]);
      return reply === 'OK';
    } catch (error) {
      // Redis may have stored the value although there was no answer. Nobody uses it then, so it is deleted later.
      if (error instanceof SharedStateUnavailableError) {
        this.shared.owed.owe(this.#nameOfDelete(name, value), () => this.#delete(name, value));
      }
      throw error;
    }
  }

  delete(name: string, value?: string): Promise<void> {
    return this.shared.owed.replace(this.#nameOfDelete(name, value), () => this.#delete(name, value));
  }

  discard(name: string, value?: string): Promise<void> {
    return this.shared.owed.make(this.#nameOfDelete(name, value), () => this.#delete(name, value));
  }

  async count(name: string, ttlMs: number, by = 1): Promise<number> {
    return Number(await this.shared.connection.run(COUNT, [this.#keyOf(name)], [by, ttlMs]));
  }

  async #set(name: string, value: string, ttlMs: number): Promise<void> {
    const key = this.#keyOf(name);
    await this.shared.connection.send(['SET', key, this.shared.names.seal(key, value), 'PX', String(ttlMs)]);
  }

  async #delete(name: string, value: string | undefined): Promise<void> {
    const key = this.#keyOf(name);
    if (value === undefined) await this.shared.connection.send(['DEL', key]);
    else await this.shared.connection.run(DELETE_IF, [key], [this.shared.names.tagOf(key, value)]);
  }

  /** The deletion of one value leaves later ones alone, so it does not take the place of other owed writes. */
  #nameOfDelete(name: string, value: string | undefined): string {
    const key = this.#keyOf(name);
    return value === undefined ? key : `${key} ${this.shared.names.tagOf(key, value)}`;
  }

  #keyOf(name: string): string {
    return this.shared.names.keyOf(this.kind, name);
  }
}
