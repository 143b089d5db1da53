import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';

/** Lets other work run between the pieces of a long one: an import must not stall the requests beside it. */
export class Breather {
  readonly #workMs: number;
  #since = performance.now();

  /** @param workMs how long the event loop may be kept, in milliseconds */
  constructor(workMs = 10) {
    this.#workMs = workMs;
  }

  /** Whether it is time for `breathe`. */
  get isDue(): boolean {
    return performance.now() - this.#since > this.#workMs;
  }

  async breathe(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
