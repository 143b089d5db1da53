import { setTimeout as delay } from 'node:timers/promises';

/** How long the floor stays up after the work last took longer. */
const RAISED_MS = 10 * 60 * 1000;

/**
 * Hides the duration of work from its callers (AUTH-03): an answer comes only at multiples of the minimum time. Once work
 * that succeeds took longer, nothing is answered sooner for ten minutes, so that a slow identity backend does not reveal
 * which addresses need more of its time. What fails tells nothing about an address, and does not raise the floor.
 */
export class AnswerFloor {
  #steps = 1;
  #raisedAt = Number.NEGATIVE_INFINITY;

  /** @param stepMs the minimum time; 0 hides nothing */
  constructor(
    private readonly stepMs: number,
    private readonly clock: () => Date,
    private readonly wait: (milliseconds: number) => Promise<unknown> = delay,
  ) {}

  /** Runs the work, and settles as it does when the floor has been reached. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.stepMs === 0) return work();
    const startedAt = this.#now();
    const floor = this.#floor();
    const reached = this.wait(floor * this.stepMs);
    let hasFailed = false;
    try {
      return await work();
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      await reached;
      const tookMs = this.#now() - startedAt;
      const steps = Math.ceil(tookMs / this.stepMs);
      if (steps > floor) {
        if (!hasFailed) this.#raise(steps);
        await this.wait(steps * this.stepMs - tookMs);
      }
    }
  }

  #floor(): number {
    if (this.#now() - this.#raisedAt >= RAISED_MS) this.#steps = 1;
    return this.#steps;
  }

  #raise(steps: number): void {
    this.#steps = Math.max(this.#floor(), steps);
    this.#raisedAt = this.#now();
  }

  #now(): number {
    return this.clock().getTime();
  }
}
