import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { builtFile } from './built-file.js';

/** What a run of the command line left. */
export interface CrfRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CrfOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The folder it runs in; one without a `.env` by default. */
  readonly cwd?: string;
  /** Called when the process runs. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called when stderr or stdout has said something: to interrupt, for instance. */
  readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/**
 * Starts `crf`, as it is shipped, as a process of its own, with the environment it is given; its streams are the test's
 * to read.
 */
export function startCrf(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd = tmpdir(),
): ChildProcessWithoutNullStreams {
  const { PATH = '', NODE_V8_COVERAGE } = process.env;
  // The bundle has no source maps, so that a coverage report would know nothing of what a command runs.
  const main = builtFile(NODE_V8_COVERAGE === undefined ? 'bin/crf.js' : 'src/cli/main.js');
  return spawn(process.execPath, [main, ...args], {
    // Not the folder of the repository: whoever works on it may have a `.env` there that names a project.
    cwd,
    env: {
      PATH,
      ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }),
      ...environment,
    },
  });
}

/** Runs `crf` as a process of its own, with the environment it is given and nothing of ours. */
export async function runCrf(args: readonly string[], options: CrfOptions = {}): Promise<CrfRun> {
  const child = startCrf(args, options.environment, options.cwd);
  let [stdout, stderr] = ['', ''];
  const hear = (text: string): void => options.onOutput?.(text, (signal) => child.kill(signal));
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    hear(chunk.toString());
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    hear(chunk.toString());
  });
  options.onStart?.((signal) => child.kill(signal));
  child.stdin.on('error', () => undefined); // a command that refuses its arguments reads nothing
  child.stdin.end(options.input ?? '');
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}
