import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { LAST_DAY } from '../../src/sandbox/demo-study/made-up.js';
import { builtFile } from './built-file.js';
import { NO_LOAD_SHEDDING } from './no-load-shedding.js';

/** The built server, in a separate process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code when the process ends; null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /** The log lines written so far. */
  readonly log: readonly LogLine[];
}

export interface LogLine {
  readonly level: string | number;
  readonly msg?: string;
  readonly url?: string;
  /** The URL of the admin port, if there is one. */
  readonly admin?: string;
}

/**
 * Starts the shipped `node build/dist/bin/server.js` on a free port, and waits until it listens.
 *
 * @param nodeArguments arguments before the script
 */
export async function runServer(
  environment: Readonly<Record<string, string>> = {},
  nodeArguments: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...nodeArguments, builtFile('bin/server.js')], {
    cwd: tmpdir(), // ignore a developer's `.env` file
    env: {
      PATH: process.env.PATH ?? '',
      PORT: '0',
      LOG_FORMAT: 'json',
      SANDBOX_UNTIL: LAST_DAY,
      ...NO_LOAD_SHEDDING,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const log: LogLine[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    void exited.then(() => reject(new Error(`The server ended before it listened. ${complaints}`)));
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const entry = JSON.parse(line) as LogLine;
        log.push(entry);
        if (entry.msg === 'listening') resolve(entry.url ?? '');
      }
    });
  });
  return { url, pid: child.pid ?? 0, kill: (signal) => child.kill(signal), exited, log };
}
