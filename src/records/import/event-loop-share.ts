import { setImmediate } from 'node:timers/promises';

/**
 * Gives other work a turn during a long task. It counts the work done and not the time taken, so that the same input
 * pauses at the same places on every machine.
 */
export class EventLoopShare {
  #done = 0;

  /**
   * @param limit bytes processed between two pauses: a few milliseconds of work
   * @param yieldToEventLoop resolves when other work has run
   */
  constructor(
    private readonly limit = WORK_BYTES,
    private readonly yieldToEventLoop: () => Promise<unknown> = setImmediate,
  ) {}

  /** Counts processed bytes. @returns whether it is time to call `pause` */
  hasSpent(bytes: number): boolean {
    this.#done += bytes;
    return this.#done >= this.limit;
  }

  async pause(): Promise<void> {
    this.#done = 0;
    await this.yieldToEventLoop();
  }
}

const WORK_BYTES = 32 * 1024;
