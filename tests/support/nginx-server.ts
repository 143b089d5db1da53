import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathOf } from './needed-programs.js';
import { freePort } from './redis-server.js';
import { until } from './until.js';

/** A real nginx on a free port, with its files in a folder of its own, in front of servers that may change. */
export class NginxServer {
  #process: ChildProcess | undefined;
  #generation = 0;

  private constructor(
    readonly port: number,
    private readonly folder: string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @param ports of the servers behind it, on loopback */
  static async start(ports: readonly number[]): Promise<NginxServer> {
    const nginx = new NginxServer(await freePort(), await mkdtemp(join(tmpdir(), 'crf-nginx-')));
    await nginx.#write(ports);
    nginx.#process = spawn(nginx.#program, nginx.#arguments, { stdio: ['ignore', 'inherit', 'inherit'] });
    await nginx.#untilServing();
    return nginx;
  }

  /** Passes on to these servers from now on, and to others no longer. Requests under way are finished. */
  async passTo(ports: readonly number[]): Promise<void> {
    await this.#write(ports);
    await promisify(execFile)(this.#program, [...this.#arguments, '-s', 'reload']);
    await this.#untilServing();
  }

  async dispose(): Promise<void> {
    const child = this.#process;
    if (child !== undefined) {
      const over = once(child, 'exit');
      child.kill('SIGTERM');
      await over;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  get #program(): string {
    const program = pathOf('nginx');
    if (program === undefined) throw new Error('There is no nginx on this machine.');
    return program;
  }

  get #arguments(): string[] {
    // The log that is opened before the configuration is read is in a folder of root's otherwise.
    return ['-p', this.folder, '-e', 'stderr', '-c', join(this.folder, 'nginx.conf')];
  }

  async #untilServing(): Promise<void> {
    const generation = String(this.#generation);
    await until(async () => {
      const answer = await fetch(`${this.url}/generation`, { headers: { connection: 'close' } }).catch(
        () => undefined,
      );
      return (await answer?.text()) === generation;
    });
  }

  #write(ports: readonly number[]): Promise<void> {
    this.#generation += 1;
    const servers = ports.map((port) => `server 127.0.0.1:${port} fail_timeout=1s;`);
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    return writeFile(
      join(this.folder, 'nginx.conf'),
      `
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off;
      pid nginx.pid;
      error_log stderr emerg;
      worker_processes 1;
      events { worker_connections 2048; }
      http {
        access_log off;
        ${folders.map((folder) => `${folder}_temp_path ${folder};`).join('\n')}
        upstream crf { ${servers.join(' ')} }
        server {
          listen 127.0.0.1:${this.port};
          client_max_body_size 1g;
          location = /generation { return 200 "${this.#generation}"; }
          location / {
            proxy_pass http://crf;
            proxy_http_version 1.1;
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_request_buffering off;
            proxy_buffering off;
            proxy_read_timeout 120s;
          }
        }
      }`,
    );
  }
}
