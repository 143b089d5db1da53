import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in a process of its own, so that it has a core to itself and its memory can be read from outside. */
export interface ProcessUnderTest {
  readonly url: string;
  /** Resident memory now, in MB. */
  rssMb(): number;
  /** The greatest resident memory since the start or the last reset, in MB. */
  peakRssMb(): number;
  stop(): Promise<void>;
}

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
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await firstUrl(child);
  child.stdout?.resume();
  return {
    url,
    rssMb: () => statusMb(child, 'VmRSS'),
    peakRssMb: () => statusMb(child, 'VmHWM'),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
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

/** Linux only: elsewhere the figure is NaN, and the table says so. */
function statusMb(child: ChildProcess, name: string): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}
