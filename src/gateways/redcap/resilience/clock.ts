import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';

/** The time and random numbers that resilience uses. Tests provide their own. */
export interface Clock {
  /** Monotonic time in milliseconds. */
  now(): number;
  /** Calls back once, after the given time. @returns a function that cancels the callback */
  schedule(milliseconds: number, callback: () => void): () => void;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  schedule(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
  random: () => randomInt(RANDOM_STEPS) / RANDOM_STEPS,
};

const RANDOM_STEPS = 2 ** 32;
