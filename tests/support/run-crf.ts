import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a run of the command line left. */
export interface CrfRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CrfOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Called when the process runs. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called when stderr or stdout has said something: to interrupt, for instance. */
  readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Starts `crf` as a process of its own, with the environment it is given; its streams are the test's to read. */
export function startCrf(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const { PATH = '', NODE_V8_COVERAGE } = process.env;
  return spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { PATH, ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }), ...environment },
  });
}

/** Runs `crf` as a process of its own, with the environment it is given and nothing of ours. */
export async function runCrf(args: readonly string[], options: CrfOptions = {}): Promise<CrfRun> {
  const child = startCrf(args, options.environment);
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
