import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { Readable, Writable } from 'node:stream';
import { run } from '../../src/cli/run.js';
import { LAST_DAY } from '../../src/sandbox/demo-study/made-up.js';
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
  /** Whether standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** Called for each output on stdout or stderr, for example to interrupt the command as Ctrl-C does. */
  readonly onOutput?: (text: string, interrupt: () => void) => void;
}

/** How many runs are in another working directory, and the one to go back to after the last of them. */
const elsewhere = { runs: 0, cwd: '', home: process.cwd() };

/**
 * Runs a command line in this process, with only the given environment. Runs at the same time must have the same
 * working directory.
 */
export async function runCrf(
  args: readonly string[],
  { environment = {}, input = '', cwd = tmpdir(), isTerminal = false, onOutput }: CrfOptions = {},
): Promise<CrfRun> {
  const interruption = new AbortController();
  const said = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof said): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        said[name] += chunk.toString();
        onOutput?.(chunk.toString(), () => interruption.abort());
        done();
      },
    });
  if (elsewhere.runs > 0 && elsewhere.cwd !== cwd)
    throw new Error(
      `A command still runs in ${elsewhere.cwd}: crf ${args.join(' ')} needs a process of its own.`,
    );
  if (elsewhere.runs++ === 0) process.chdir((elsewhere.cwd = cwd));
  try {
    const exitCode = await run(args, {
      stdout: Object.assign(sink('stdout'), { isTTY: isTerminal }),
      stderr: sink('stderr'),
      stdin: () => Readable.from([Buffer.from(input)]),
      env: { SANDBOX_UNTIL: LAST_DAY, ...environment },
      interrupt: () => interruption.signal,
    });
    return { exitCode, ...said };
  } finally {
    if (--elsewhere.runs === 0) process.chdir(elsewhere.home);
  }
}

/** For a test of the process itself: its signals, its pipes, its memory, the bundle. */
export interface ProcessOptions extends Omit<CrfOptions, 'onOutput' | 'isTerminal'> {
  /** Called when the process has started. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called for each output on stdout or stderr. */
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
      SANDBOX_UNTIL: LAST_DAY,
      ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }),
      ...environment,
    },
  });
}

/** Runs the shipped `crf` in a new process, with only the given environment. */
export async function spawnCrf(args: readonly string[], options: ProcessOptions = {}): Promise<CrfRun> {
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
