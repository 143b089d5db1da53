import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeCertificate, type CertificateFiles } from './certificate.js';
import { freePort } from './free-port.js';
import { pathOf } from './needed-programs.js';
import { until } from './until.js';

/** The placeholder in deploy/nginx/crf.conf for the operator's host name. */
const HOST = 'crf.example.org';
const SHIPPED = new URL('../../deploy/nginx/crf.conf', import.meta.url);

interface Ports {
  readonly https: number;
  readonly http: number;
  /** Port for reading the number of the current configuration. */
  readonly generation: number;
}

/**
 * A real nginx with the shipped deploy/nginx/crf.conf, in which only the operator's values are replaced: the upstream
 * servers, the ports and the certificate. Runs on loopback, with its files in a temporary folder.
 */
export class NginxServer {
  #process: ChildProcess | undefined;
  #generation = 0;

  private constructor(
    private readonly ports: Ports,
    private readonly folder: string,
    private readonly files: CertificateFiles,
    /** The certificate, for clients to trust. */
    readonly certificate: string,
    private readonly isBare: boolean,
  ) {}

  /** The address for clients, which must send `host` as the host name. */
  get url(): string {
    return `https://127.0.0.1:${this.ports.https}`;
  }

  /** The address without TLS. */
  get plainUrl(): string {
    return `http://127.0.0.1:${this.ports.http}`;
  }

  readonly host = HOST;

  /**
   * @param ports of the upstream servers, on loopback
   * @param options.isBare without the shipped file, only a `proxy_pass`, at `plainUrl`
   */
  static async start(ports: readonly number[], { isBare = false } = {}): Promise<NginxServer> {
    const folder = await mkdtemp(join(tmpdir(), 'crf-nginx-'));
    const files = await makeCertificate(folder, HOST);
    const own = { https: await freePort(), http: await freePort(), generation: await freePort() };
    const nginx = new NginxServer(own, folder, files, await readFile(files.certificate, 'utf8'), isBare);
    await nginx.#write(ports);
    nginx.#process = spawn(nginx.#program, nginx.#arguments, { stdio: ['ignore', 'inherit', 'inherit'] });
    await nginx.#untilServing();
    return nginx;
  }

  /** Switches to other upstream servers. Pending requests are completed. */
  async passTo(ports: readonly number[]): Promise<void> {
    await this.#write(ports);
    await promisify(execFile)(this.#program, [...this.#arguments, '-s', 'reload']);
    await this.#untilServing();
  }

  /** @returns the output of `nginx -t` for the configuration */
  async test(): Promise<string> {
    const { stderr } = await promisify(execFile)(this.#program, [...this.#arguments, '-t']);
    return stderr;
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
    // Otherwise, nginx first opens a log in a folder that only root can write to.
    return ['-p', this.folder, '-e', 'stderr', '-c', join(this.folder, 'nginx.conf')];
  }

  async #untilServing(): Promise<void> {
    const generation = String(this.#generation);
    const url = `http://127.0.0.1:${this.ports.generation}`;
    await until(async () => {
      const answer = await fetch(url, { headers: { connection: 'close' } }).catch(() => undefined);
      return (await answer?.text()) === generation;
    });
  }

  async #write(ports: readonly number[]): Promise<void> {
    this.#generation += 1;
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    await writeFile(
      join(this.folder, 'nginx.conf'),
      `
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off;
      pid nginx.pid;
      error_log stderr emerg;
      worker_processes 1;
      events { worker_connections 2048; }
      http {
        ${folders.map((folder) => `${folder}_temp_path ${folder};`).join('\n')}
        server {
          listen 127.0.0.1:${this.ports.generation};
          access_log off;
          location / { return 200 "${this.#generation}"; }
        }
        ${await this.#site(ports)}
      }`,
    );
  }

  /**
   * Returns the shipped file with the operator's values filled in. Throws if one of the places to replace is missing.
   */
  async #site(ports: readonly number[]): Promise<string> {
    if (this.isBare)
      return `server {
        listen 127.0.0.1:${this.ports.http};
        access_log off;
        location / { proxy_pass http://127.0.0.1:${ports[0]}; }
      }`;
    let site = await readFile(SHIPPED, 'utf8');
    const fillIn = (place: RegExp, own: (line: string) => string): void => {
      if (!place.test(site)) throw new Error(`deploy/nginx/crf.conf has nothing like ${place.source}.`);
      site = site.replace(place, own);
    };
    fillIn(/^ *server crf:3000 .*$/m, (line) =>
      ports.map((port) => line.replace('crf:3000', `127.0.0.1:${port}`)).join('\n'),
    );
    fillIn(/listen 80;/, () => `listen 127.0.0.1:${this.ports.http};`);
    fillIn(/listen 443 /, () => `listen 127.0.0.1:${this.ports.https} `);
    fillIn(/\S+fullchain\.pem/, () => this.files.certificate);
    fillIn(/\S+privkey\.pem/, () => this.files.key);
    return site;
  }
}
