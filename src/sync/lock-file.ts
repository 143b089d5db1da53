import { closeSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { CopyStoppedError } from '../domain/errors/caller-errors.js';

/** A process that is killed before it has written its name leaves an empty file. */
const NAMELESS_MS = 2000;
const BEAT_MS = 15_000;
/** A holder that has said nothing for so long is gone, with its machine: a container is replaced by one of another name. */
const SILENT_MS = 300_000;

/** A lock that is held. */
export interface HeldLock {
  /** @throws {CopyStoppedError} another process has taken it over, because this one was suspended for minutes */
  readonly assertHeld: () => void;
  readonly giveBack: () => void;
}

/**
 * Takes a lock, which is a file with the process and the machine that hold it. That of a process that has died is taken
 * over.
 *
 * @throws {CopyStoppedError} names the holder
 */
export async function lockFile(path: string): Promise<HeldLock> {
  // In a container, every process has the number 1: its start tells it from an earlier one.
  const own = `${process.pid} ${hostname()} ${performance.timeOrigin}`;
  while (!isCreated(path, own)) {
    const text = readText(path);
    if (text === '' && ageMs(path) < NAMELESS_MS) await setTimeout(50);
    else if (isDead(text, path)) rmSync(path, { force: true });
    else throw new CopyStoppedError(inUse(text, path));
  }
  const isHeld = (): boolean => readText(path) === own;
  const beat = setInterval(() => {
    if (isHeld()) utimesSync(path, new Date(), new Date());
  }, BEAT_MS).unref();
  return {
    assertHeld: () => {
      if (!isHeld()) throw new CopyStoppedError(inUse(readText(path), path));
    },
    giveBack: () => {
      clearInterval(beat);
      if (isHeld()) rmSync(path, { force: true });
    },
  };
}

function isCreated(path: string, text: string): boolean {
  try {
    const handle = openSync(path, 'wx', 0o600);
    writeSync(handle, text);
    closeSync(handle);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

function isDead(text: string, path: string): boolean {
  if (text === '' || ageMs(path) > SILENT_MS) return true;
  const [pid, host, start] = text.split(' ');
  if (host !== hostname()) return false;
  return Number(pid) === process.pid ? start !== `${performance.timeOrigin}` : !isAlive(Number(pid));
}

function inUse(text: string, path: string): string {
  const [pid, host] = text.split(' ');
  const who = host === undefined ? 'Another process' : `Another process (${pid} on ${host})`;
  return `${who} is writing this copy: wait until it has ended. If it does not exist, delete ${path}.`;
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
