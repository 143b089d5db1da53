import { SYSTEM_CLOCK, type Clock } from './resilience/clock.js';

/** One timer for the stages of a call that follow one another: starting a stage ends the one before. */
export class StageTimer {
  readonly #clock: Clock;
  #schedule: (() => () => void) | undefined;
  #forget: (() => void) | undefined;

  constructor(clock: Clock = SYSTEM_CLOCK) {
    this.#clock = clock;
  }

  start(milliseconds: number, onTimeout: () => void): void {
    this.#forget?.();
    this.#schedule = () => this.#clock.schedule(milliseconds, onTimeout);
    this.#forget = this.#schedule();
  }

  /** Something happened: the stage's time begins again. Does nothing when no stage runs. */
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
