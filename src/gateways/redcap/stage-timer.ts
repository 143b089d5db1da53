import { SYSTEM_CLOCK, type Clock } from './resilience/clock.js';

/** One timer for the successive stages of a call: starting a stage ends the previous one. */
export class StageTimer {
  #schedule: (() => () => void) | undefined;
  #forget: (() => void) | undefined;

  constructor(private readonly clock: Clock = SYSTEM_CLOCK) {}

  start(milliseconds: number, onTimeout: () => void): void {
    this.#forget?.();
    this.#schedule = () => this.clock.schedule(milliseconds, onTimeout);
    this.#forget = this.#schedule();
  }

  /** Restarts the time of the current stage, after some progress. Does nothing if no stage is running. */
  refresh(): void {
    if (this.#schedule === undefined) return;
    this.#forget?.();
    this.#forget = this.#schedule();
  }

  stop(): void {
    this.#forget?.();
    this.#forget = undefined;
    this.#schedule = undefined;
  }
}
