import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { freePort } from './free-port.js';
import { pathOf } from './needed-programs.js';

/** A `redis-server` on a free loopback port, with its files in a temporary folder. */
export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly options: readonly string[],
  ) {}

  /** @param options further command line options, besides those for port, folder and persistence */
  static async start(options: readonly string[] = []): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'crf-redis-'));
    const server = new RedisServer(await freePort(), folder, options);
    await server.startAgain();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Restarts the server on the same port, with its persisted data. */
  async startAgain(): Promise<void> {
    const program = pathOf('redis');
    if (program === undefined) throw new Error('There is no redis-server on this machine.');
    const child = spawn(
      program,
      // With the append-only file, Redis keeps all confirmed writes through a restart.
      [
        '--bind',
        '127.0.0.1',
        '--port',
        String(this.port),
        '--dir',
        this.folder,
        '--appendonly',
        'yes',
        '--save',
        '',
        '--daemonize',
        'no',
        '--logfile',
        '',
        ...this.options,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`redis-server ended. ${output}`)));
    });
  }

  /** Stops the process: connections stay open, but the server does not respond. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    const over = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await over;
  }

  /** Sends a single command over a new connection. */
  async command(...words: string[]): Promise<unknown> {
    const client = createClient({ url: this.url, RESP: 2 });
    await client.connect();
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}
