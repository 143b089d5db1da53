import type { Clock } from '../../src/gateways/redcap/resilience/clock.js';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that advances only when a test does so. Its random number is fixed. */
export class ManualClock implements Clock {
  #now = 1_000;
  #alarms: Alarm[] = [];

  constructor(private readonly chance = 0.5) {}

  now(): number {
    return this.#now;
  }

  random(): number {
    return this.chance;
  }

  schedule(milliseconds: number, callback: () => void): () => void {
    const alarm = { at: this.#now + milliseconds, callback };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** The delays of all pending alarms, from now. */
  get pending(): number[] {
    return this.#alarms.map(({ at }) => at - this.#now);
  }

  /**
   * Resolves when an alarm with a matching delay is pending, so that the code under test has reached that point.
   *
   * @returns the delay from now, in milliseconds
   */
  async alarm(matches: (inMs: number) => boolean): Promise<number> {
    for (;;) {
      const found = this.pending.find(matches);
      if (found !== undefined) return found;
      await settled();
    }
  }

  /** Advances the time, runs the alarms that are due, and lets pending promises continue. */
  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (const alarm of this.#alarms.filter(({ at }) => at <= this.#now)) {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
      alarm.callback();
    }
    await settled();
  }
}

/** Lets all pending promises continue. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
