import { setImmediate } from 'node:timers/promises';

/**
 * Lets other work run between the parts of a long one. What counts is the work that was done and not the time that it took,
 * so that the same input pauses at the same places on every machine.
 */
export class EventLoopShare {
  readonly #limit: number;
  readonly #yieldToEventLoop: () => Promise<unknown>;
  #done = 0;

  /**
   * @param limit the bytes that are worked on between two pauses: a few milliseconds' worth
   * @param yieldToEventLoop ends when other work has run
   */
  constructor(limit = WORK_BYTES, yieldToEventLoop: () => Promise<unknown> = setImmediate) {
    this.#limit = limit;
    this.#yieldToEventLoop = yieldToEventLoop;
  }

  /** @returns whether it is time for `pause`, with the work on so many bytes done */
  hasSpent(bytes: number): boolean {
    this.#done += bytes;
    return this.#done >= this.#limit;
  }

  async pause(): Promise<void> {
    this.#done = 0;
    await this.#yieldToEventLoop();
  }
}

const WORK_BYTES = 32 * 1024;
