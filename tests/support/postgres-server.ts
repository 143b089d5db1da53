import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathOf } from './needed-programs.js';

/** A PostgreSQL of the tests' own, on a socket in a temporary folder. It does not run as root: then as `postgres`. */
export class PostgresServer {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<PostgresServer> {
    const program = pathOf('postgres');
    if (program === undefined) throw new Error('There is no postgres on this machine.');
    const folder = mkdtempSync(join(tmpdir(), 'crf-postgres-'));
    const idOf = (flag: string): number =>
      Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
    const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    const data = join(folder, 'data');
    execFileSync(
      join(dirname(program), 'initdb'),
      ['-D', data, '-A', 'trust', '-U', 'crf', '-E', 'UTF8', '--no-locale', '--no-sync'],
      { ...user, cwd: folder, stdio: 'pipe' },
    );
    const options = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'];
    const child = spawn(program, options, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      let output = '';
      // It is read to the end: a server whose output nobody takes ends.
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('ready to accept connections')) resolve();
      });
      child.once('exit', () => reject(new Error(`postgres ended. ${output}`)));
    });
    return new PostgresServer(folder, child);
  }

  /** The address of a schema. */
  url(schema: string): string {
    return `postgres://crf@/postgres?host=${encodeURIComponent(this.folder)}&schema=${schema}`;
  }

  /** Runs SQL with `psql`. @returns its lines, with `|` between cells */
  query(sql: string): string[] {
    const args = ['-h', this.folder, '-U', 'crf', '-d', 'postgres', '-AtX', '-c', sql];
    return execFileSync('psql', args, { encoding: 'utf8' }).split('\n').slice(0, -1);
  }

  async dispose(): Promise<void> {
    if (this.child.exitCode === null) {
      const over = once(this.child, 'exit');
      this.child.kill('SIGQUIT');
      await over;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
