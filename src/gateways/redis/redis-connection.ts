import { randomInt } from 'node:crypto';
import { SharedStateUnavailableError } from '../../domain/errors/operator-errors.js';

/** How often Redis is probed while it is down. */
const PROBE_INTERVAL_MS = 200;
/** A connection that is silent for this long is closed, because a vanished host does not close it. */
const SILENCE_MS = 10_000;
/** Commands that can wait for an answer. Further ones are refused. */
const MAX_WAITING = 20_000;

export interface RedisConnectionOptions {
  /**
   * `redis://` or `rediss://`, with user name and password if required. A function is called for each connection, whose
   * user name and password may change.
   */
  readonly url: string | (() => string);
  /** How long a command may take; 1000 ms by default. */
  readonly timeoutMs?: number | undefined;
  /** Proves that Redis is usable, and throws if it is not. Called repeatedly while Redis is down. */
  readonly probe: (send: (command: readonly string[]) => Promise<unknown>) => Promise<unknown>;
  /** Called when Redis has become available or unavailable. */
  readonly onChange?: ((status: SharedStateStatus) => void) | undefined;
}

/** The observable status of the shared state. */
export interface SharedStateStatus {
  readonly isUp: boolean;
  /** The time of the last change, in milliseconds since the epoch. */
  readonly since: number;
  /** Why it is down, as one fixed word: `timeout`, `ECONNREFUSED`, `LOADING`. */
  readonly reason: string | undefined;
  /** The number of outages since the start. */
  readonly outages: number;
  /** Commands that failed, took too long, or were not sent during an outage. */
  readonly failedCommands: number;
}

/** The part of the library's client that is used. */
interface RedisClient {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  on(event: 'error' | 'ready', listener: (error?: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(command: string[]): Promise<unknown>;
  destroy(): void;
}

/**
 * One connection to Redis that never blocks callers for long: a command is answered within the time limit or fails, and
 * during an outage commands fail immediately. Redis is probed in the background, and used again as soon as it answers.
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

  /** Loads the library and connects. Resolves when Redis answers, at the latest after the time limit. */
  static async open(options: RedisConnectionOptions): Promise<RedisConnection> {
    const library = await import('@redis/client');
    // In the bundle the library's functions are only on `default`; with a TypeScript loader they are not on it.
    const { createClient } = (library.default as typeof library | undefined) ?? library;
    const client: RedisClient = createClient({
      url: withoutCredentials(urlOf(options)),
      credentialsProvider: {
        type: 'async-credentials-provider',
        credentials: () => Promise.resolve(credentialsIn(urlOf(options))),
      },
      RESP: 2,
      // A command that waited for a connection would delay a request.
      disableOfflineQueue: true,
      commandsQueueMaxLength: MAX_WAITING,
      disableClientInfo: true,
      socket: {
        connectTimeout: 2000,
        socketTimeout: SILENCE_MS,
        // The random part keeps the replicas from all reconnecting at the same time.
        reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 5), 1000) + randomInt(100),
      },
    });
    const connection = new RedisConnection(client, options);
    connection.#startProbing();
    // The client reconnects by itself. Its errors are reported by events.
    client.connect().catch(() => undefined);
    await connection.#firstAnswer();
    return connection;
  }

  get status(): SharedStateStatus {
    return this.#status;
  }

  /** @param listener called each time Redis has become available */
  onUp(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * @throws {SharedStateUnavailableError} the command failed or timed out, or Redis is down; it may have been executed
   *   nevertheless
   */
  async send(command: readonly string[]): Promise<unknown> {
    if (!this.#status.isUp) throw this.#failed(this.#status.reason ?? 'away');
    try {
      return await this.#inTime(this.#client.sendCommand([...command]));
    } catch (error) {
      const reason = error === TOO_LATE ? 'timeout' : failureReason(error);
      if (error === TOO_LATE || isServerUseless(reason)) this.#goDown(reason);
      throw this.#failed(reason, error === TOO_LATE ? undefined : error);
    }
  }

  /**
   * Runs a Lua script atomically. It is sent in full each time: naming it by its digest would need a second command when
   * Redis does not know it, which could overtake later commands or follow a time limit that has passed.
   *
   * @throws like `send`
   */
  run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return this.send(['EVAL', script, String(keys.length), ...keys, ...values.map(String)]);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#probeTimer);
    if (this.#client.isOpen) this.#client.destroy();
  }

  #failed(reason: string, cause?: unknown): SharedStateUnavailableError {
    this.#status = { ...this.#status, failedCommands: this.#status.failedCommands + 1 };
    return new SharedStateUnavailableError(reason, cause === undefined ? {} : { cause });
  }

  async #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_resolve, reject) => {
      // After this process was busy, pending input is read first, because the answer may have arrived.
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

  /** Probes Redis, one probe at a time and without a time limit: its answer shows that Redis is back. */
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

function urlOf({ url }: Pick<RedisConnectionOptions, 'url'>): string {
  return typeof url === 'function' ? url() : url;
}

function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Returns the user and the password to send; neither if the URL has none. */
function credentialsIn(text: string): { username?: string; password?: string } {
  const { username, password } = new URL(text);
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}

const TOO_LATE = new Error('Redis took too long.');

/** Error codes of a server that answers but cannot store anything. */
const UNUSABLE_CODES: ReadonlySet<string> = new Set([
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'NOAUTH',
  'NOREPLICAS',
  'OOM',
  'READONLY',
]);

/**
 * @returns the reason of a failed command as one fixed word: a Node.js error code, Redis's error code, or the error's
 *   class
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
  const [word = ''] = error.message.split(' ', 1);
  if (/^[A-Z]{3,20}$/.test(word)) return word;
  // The library's own classes leave `name` as it is: the class says more.
  return error.name === 'Error' ? error.constructor.name : error.name;
}

/** @returns whether the whole server is currently unusable, as opposed to a single failed command */
export function isServerUseless(reason: string): boolean {
  return UNUSABLE_CODES.has(reason);
}
