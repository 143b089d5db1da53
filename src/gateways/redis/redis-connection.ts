import { randomInt } from 'node:crypto';
import { SharedStateUnavailableError } from '../../errors/operator-errors.js';
import { failureReason, isServerUseless } from './failure-reason.js';
import type { LuaScript } from './lua-script.js';

/** How often a Redis that is away is looked for. */
const PROBE_INTERVAL_MS = 200;
/** A connection over which nothing comes for so long is given up: a host that vanished says no goodbye. */
const SILENCE_MS = 10_000;
/** Commands that may wait for an answer; more are refused. */
const MAX_WAITING = 20_000;

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`, with user and password where there are some. */
  readonly url: string;
  /** How long a command may take; 1000 ms by default. */
  readonly timeoutMs?: number | undefined;
  /** Proves that Redis is of use: throws while it is not. It is asked again and again while Redis is away. */
  readonly probe: (send: (command: readonly string[]) => Promise<unknown>) => Promise<unknown>;
  /** Redis has come or gone. */
  readonly onChange?: ((status: SharedStateStatus) => void) | undefined;
}

/** What can be seen of the shared state from outside. */
export interface SharedStateStatus {
  readonly isUp: boolean;
  /** Since when it is so; milliseconds since the epoch. */
  readonly since: number;
  /** Why it is away, as one fixed word: `timeout`, `ECONNREFUSED`, `LOADING`. */
  readonly reason: string | undefined;
  /** How often it has gone away since the start. */
  readonly outages: number;
  /** Commands that failed or took too long, or were not sent because it was away. */
  readonly failedCommands: number;
}

/** What is needed of the library's client. */
interface RedisClient {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  on(event: 'error' | 'ready', listener: (error?: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(command: string[]): Promise<unknown>;
  destroy(): void;
}

/**
 * One connection to Redis that never makes anybody wait for long: a command is answered within the time limit or fails,
 * and while Redis is away commands fail at once. It is looked for in the background, and used again when it answers.
 */
export class RedisConnection {
  readonly #client: RedisClient;
  readonly #options: RedisConnectionOptions;
  readonly #timeoutMs: number;
  readonly #listeners = new Set<() => void>();
  #status: SharedStateStatus = {
    isUp: false,
    since: Date.now(),
    reason: 'connecting',
    outages: 0,
    failedCommands: 0,
  };
  #probeTimer: NodeJS.Timeout | undefined;
  #isProbing = false;
  #isClosed = false;

  private constructor(client: RedisClient, options: RedisConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 1000;
    client.on('error', (error: unknown) => this.#goDown(failureReason(error)));
    client.on('ready', () => void this.#probe());
  }

  /** Loads the library and connects. Resolves when Redis answers, or after the time limit without it. */
  static async open(options: RedisConnectionOptions): Promise<RedisConnection> {
    const library = await import('@redis/client');
    // The bundle has the functions of the library on `default` alone, a loader of TypeScript outside it alone.
    const { createClient } = (library.default as typeof library | undefined) ?? library;
    const client: RedisClient = createClient({
      url: options.url,
      RESP: 2,
      // A command that waits for a connection would hold up a request.
      disableOfflineQueue: true,
      commandsQueueMaxLength: MAX_WAITING,
      disableClientInfo: true,
      socket: {
        connectTimeout: 2000,
        socketTimeout: SILENCE_MS,
        // The random part keeps replicas from coming back all at once.
        reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 5), 1000) + randomInt(100),
      },
    });
    const connection = new RedisConnection(client, options);
    connection.#startProbing();
    // It tries again by itself; what it fails with has been heard as an event.
    client.connect().catch(() => undefined);
    await connection.#firstAnswer();
    return connection;
  }

  get status(): SharedStateStatus {
    return this.#status;
  }

  /** @param listener called each time Redis has come back */
  onUp(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** @throws {SharedStateUnavailableError} it failed, took too long, or Redis is away; it may have been done all the same */
  send(command: readonly string[]): Promise<unknown> {
    return this.#limited(() => this.#client.sendCommand([...command]));
  }

  /** Runs a script as one step. @throws as `send` */
  run(script: LuaScript, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...values.map(String)];
    return this.#limited(async () => {
      try {
        return await this.#client.sendCommand(['EVALSHA', script.sha1, ...rest]);
      } catch (error) {
        if (failureReason(error) !== 'NOSCRIPT') throw error;
        return this.#client.sendCommand(['EVAL', script.source, ...rest]);
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#probeTimer);
    if (this.#client.isOpen) this.#client.destroy();
  }

  async #limited(ask: () => Promise<unknown>): Promise<unknown> {
    if (!this.#status.isUp) throw this.#failed(this.#status.reason ?? 'away');
    try {
      return await this.#inTime(ask());
    } catch (error) {
      const reason = error === TOO_LATE ? 'timeout' : failureReason(error);
      if (error === TOO_LATE || isServerUseless(reason)) this.#goDown(reason);
      throw this.#failed(reason, error === TOO_LATE ? undefined : error);
    }
  }

  #failed(reason: string, cause?: unknown): SharedStateUnavailableError {
    this.#status = { ...this.#status, failedCommands: this.#status.failedCommands + 1 };
    return new SharedStateUnavailableError(reason, cause === undefined ? {} : { cause });
  }

  async #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      // A process that was busy itself reads first what has come meanwhile: the answer may be there.
      timer = setTimeout(() => setImmediate(() => setImmediate(() => reject(TOO_LATE))), this.#timeoutMs);
    });
    try {
      return await Promise.race([answer, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  #goDown(reason: string): void {
    if (this.#isClosed) return;
    const { isUp, outages } = this.#status;
    if (!isUp) {
      this.#status = { ...this.#status, reason };
      return;
    }
    this.#status = { ...this.#status, isUp: false, since: Date.now(), reason, outages: outages + 1 };
    this.#startProbing();
    this.#options.onChange?.(this.#status);
  }

  #goUp(): void {
    if (this.#isClosed || this.#status.isUp) return;
    clearInterval(this.#probeTimer);
    this.#probeTimer = undefined;
    this.#status = { ...this.#status, isUp: true, since: Date.now(), reason: undefined };
    this.#options.onChange?.(this.#status);
    for (const listener of this.#listeners) listener();
  }

  #startProbing(): void {
    this.#probeTimer ??= setInterval(() => void this.#probe(), PROBE_INTERVAL_MS).unref();
  }

  /** One at a time, and without a time limit: the answer to it is the sign that Redis is back. */
  async #probe(): Promise<void> {
    if (this.#isProbing || this.#isClosed || this.#status.isUp || !this.#client.isReady) return;
    this.#isProbing = true;
    try {
      await this.#options.probe((command) => this.#client.sendCommand([...command]));
      this.#goUp();
    } catch (error) {
      this.#goDown(failureReason(error));
    } finally {
      this.#isProbing = false;
    }
  }

  async #firstAnswer(): Promise<void> {
    const isUp = new Promise<void>((resolve) => {
      if (this.#status.isUp) resolve();
      else this.#listeners.add(resolve);
    });
    await this.#inTime(isUp).catch(() => undefined);
  }
}

const TOO_LATE = new Error('Redis took too long.');
