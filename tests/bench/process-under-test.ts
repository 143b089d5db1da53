import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in its own process, so that it has a core to itself and its memory can be read from outside. */
export interface ProcessUnderTest {
  readonly url: string;
  /** Current resident memory, in MB. NaN on a system without `/proc`. */
  rssMb(): number;
  /** Peak resident memory since the start or the last reset, in MB. NaN on a system without `/proc`. */
  peakRssMb(): number;
  resetPeakRss(): void;
  /** Sends a command to a process started with `watched`, and waits for its answer. */
  ask(word: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** The running processes, which `stopAll` ends in any case. */
const running = new Set<ChildProcess>();

/**
 * Starts a script and waits until it prints its URL: a line of JSON with `url`, or a log line with `listening`.
 *
 * @param args the arguments of `node`
 */
export async function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessUnderTest> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', (code, signal) => {
    const wasStopped = !running.delete(child);
    if (!wasStopped) console.error(`${args.at(-1)} ended by itself: ${signal ?? code}`);
  });
  const url = await firstUrl(child);
  child.stdout?.resume();
  return {
    url,
    rssMb: () => statusMb(child, 'VmRSS'),
    peakRssMb: () => statusMb(child, 'VmHWM'),
    resetPeakRss: () => resetPeak(child),
    ask: async (word) => {
      const answer = once(child, 'message', { signal: AbortSignal.timeout(10_000) });
      child.send(word);
      return ((await answer) as [unknown])[0];
    },
    stop: () => end(child),
  };
}

// Ends the processes even if the bench fails or is interrupted.
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

/** Ends every process that was started and has not been stopped. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(end));
}

async function end(child: ChildProcess): Promise<void> {
  if (!running.delete(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function firstUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The process has no output.');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const url = urlOf(line);
    if (url !== undefined) return url;
  }
  throw new Error('The process ended before it listened.');
}

function urlOf(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  const { url } = JSON.parse(line) as { readonly url?: unknown };
  return typeof url === 'string' ? url : undefined;
}

function statusMb(child: ChildProcess, name: string): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** @see proc(5): writing 5 to `clear_refs` resets the peak to the current resident memory */
function resetPeak(child: ChildProcess): void {
  try {
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
  } catch {
    // A system without `/proc` has no peak to read either.
  }
}
