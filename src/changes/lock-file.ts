import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { CopyStoppedError } from '../errors/caller-errors.js';

/** A process that is killed before it has written its name leaves an empty file. */
const NAMELESS_MS = 2000;

/**
 * Takes a lock, which is a file with the process and the machine that hold it. That of a process that has died on this
 * machine is taken over.
 *
 * @returns a function that gives it back
 * @throws {CopyStoppedError} names the holder
 */
export function lockFile(path: string): () => void {
  for (;;) {
    try {
      const handle = openSync(path, 'wx', 0o600);
      writeSync(handle, `${process.pid} ${hostname()}`);
      closeSync(handle);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      refuseLiving(path);
      rmSync(path, { force: true });
    }
  }
}

function refuseLiving(path: string): void {
  const [pid = '', host = ''] = readText(path).split(' ');
  if (host === '' ? ageMs(path) > NAMELESS_MS : host === hostname() && !isAlive(Number(pid))) return;
  throw new CopyStoppedError(
    `Another process (${pid || 'starting'} on ${host || 'this machine'}) is writing this copy: wait until it has ended. If it does not exist, delete ${path}.`,
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** A file that has gone in the meantime is as old as can be. */
function ageMs(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return Infinity;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
