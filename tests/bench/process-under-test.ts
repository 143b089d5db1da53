import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in a process of its own, so that it has a core to itself and its memory can be read from outside. */
export interface ProcessUnderTest {
  readonly url: string;
  /** Resident memory now, in MB. NaN on a system without `/proc`. */
  rssMb(): number;
  /** The greatest resident memory since the start or the last reset, in MB. NaN on a system without `/proc`. */
  peakRssMb(): number;
  resetPeakRss(): void;
  /** Sends a word to a process started with `watched`, and waits for what it answers. */
  ask(word: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** What runs still: `stopAll` ends it, whatever happened. */
const running = new Set<ChildProcess>();

/**
 * Starts a script and waits until it has told its URL: a line of JSON with `url`, or a log line with `listening`.
 *
 * @param args what stands behind `node`
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

// The last resort, when nobody waits any more: a bench that fails or is interrupted leaves nothing behind.
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

/** @see proc(5): 5 written to `clear_refs` sets the peak back to what is resident now */
function resetPeak(child: ChildProcess): void {
  try {
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
  } catch {
    // A system without it has no peak to read, either.
  }
}
