import { spawn } from 'node:child_process';
import { once } from 'node:events';

const LIMIT_MS = 60_000;

/**
 * Runs a command until it ends.
 *
 * @returns its duration from start to end, in milliseconds
 * @throws {Error} if it did not exit with 0, or not within a minute
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const started = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const took = performance.now() - started;
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${words}`);
  return took;
}
