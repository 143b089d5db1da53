import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';

/** Time and chance, as far as resilience needs them: a test brings its own. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Calls back once after the time. @returns how to forget it */
  schedule(milliseconds: number, callback: () => void): () => void;
  /** From 0 to less than 1. */
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
