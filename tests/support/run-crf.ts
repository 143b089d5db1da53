import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { builtFile } from './built-file.js';

/** The result of running the command line. */
export interface CrfRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CrfOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The working directory; by default one without a `.env` file. */
  readonly cwd?: string;
  /** Called when the process has started. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called for each output on stdout or stderr, for example to interrupt the process. */
  readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/**
 * Starts the shipped `crf` in a new process, with only the given environment. The test reads and writes its streams.
 */
export function startCrf(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd = tmpdir(),
): ChildProcessWithoutNullStreams {
  const { PATH = '', NODE_V8_COVERAGE } = process.env;
  // The bundle has no source maps, so coverage reports need the unbundled code.
  const main = builtFile(NODE_V8_COVERAGE === undefined ? 'bin/crf.js' : 'src/cli/main.js');
  return spawn(process.execPath, [main, ...args], {
    // Not the repository's folder, where a developer may have a `.env` file that configures a project.
    cwd,
    env: {
      PATH,
      ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }),
      ...environment,
    },
  });
}

/** Runs `crf` in a new process, with only the given environment. */
export async function runCrf(args: readonly string[], options: CrfOptions = {}): Promise<CrfRun> {
  const child = startCrf(args, options.environment, options.cwd);
  let [stdout, stderr] = ['', ''];
  const onText = (text: string): void => options.onOutput?.(text, (signal) => child.kill(signal));
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    onText(chunk.toString());
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    onText(chunk.toString());
  });
  options.onStart?.((signal) => child.kill(signal));
  child.stdin.on('error', () => undefined); // a command that refuses its arguments closes stdin without reading
  child.stdin.end(options.input ?? '');
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}
