import { inspect } from 'node:util';

/**
 * Prints everything that can be reached from a value: hidden properties, causes and getters, to any depth and length.
 * `inspect` alone stops at the third level, the 100th element and the 10,000th character, and `JSON.stringify` leaves out
 * the cause of an error. Neither shows private fields (`#secret`) or the variables of functions: whether a class keeps a
 * secret there cannot be seen in print, only in the heap (as `sign-in-and-dump.ts` does).
 */
export function printed(value: unknown): string {
  return inspect(value, {
    depth: Infinity,
    showHidden: true,
    getters: true,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Infinity,
  });
}
