import { randomBytes } from 'node:crypto';
import { luaScript } from './lua-script.js';
import type { SharedNames } from './shared-names.js';

/** How long a replica counts as living after its last sign of life. */
const ALIVE_MS = 6_000;
/** How often it gives one. */
const SIGN_MS = 2_000;

const SIGN_OF_LIFE = luaScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('SET', KEYS[1], '1', 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return redis.call('ZCARD', KEYS[2])
`);

/** This process among the replicas: it says that it lives, and knows how many others do. */
export class Replica {
  /** New with every process: a restarted one is another. */
  readonly id = randomBytes(9).toString('base64url');
  readonly aliveKeyPrefix: string;
  readonly #replicasKey: string;
  #count = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(names: SharedNames) {
    this.aliveKeyPrefix = `${names.keyOf('alive')}:`;
    this.#replicasKey = names.keyOf('replicas');
  }

  /** Replicas that lived when Redis was asked last, this one included. */
  get count(): number {
    return this.#count;
  }

  /** Says that this process lives. A write: while Redis takes none, it is of no use. */
  async signOfLife(send: (command: readonly string[]) => Promise<unknown>): Promise<void> {
    const keys = [`${this.aliveKeyPrefix}${this.id}`, this.#replicasKey];
    const reply = await send(['EVAL', SIGN_OF_LIFE.source, '2', ...keys, this.id, String(ALIVE_MS)]);
    this.#count = Math.max(1, Number(reply));
  }

  /** Gives signs of life from now on. */
  start(send: (command: readonly string[]) => Promise<unknown>): void {
    this.#timer = setInterval(() => void this.signOfLife(send).catch(() => undefined), SIGN_MS).unref();
  }

  /** No more signs. Its keys are free at once, and the others share what it had. */
  async leave(send: (command: readonly string[]) => Promise<unknown>): Promise<void> {
    clearInterval(this.#timer);
    await send(['ZREM', this.#replicasKey, this.id]);
    await send(['DEL', `${this.aliveKeyPrefix}${this.id}`]);
  }
}
