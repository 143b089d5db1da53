import type { Clock } from '../../src/gateways/redcap/resilience/clock.js';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. Its chance is always the same. */
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

  /** The times, from now, that something waits for. */
  get pending(): number[] {
    return this.#alarms.map(({ at }) => at - this.#now);
  }

  /**
   * Resolves when something waits for a time that matches: sockets and other callers have come that far.
   *
   * @returns the time from now, in milliseconds
   */
  async alarm(matches: (inMs: number) => boolean): Promise<number> {
    for (;;) {
      const found = this.pending.find(matches);
      if (found !== undefined) return found;
      await settled();
    }
  }

  /** Moves on, and lets what follows from it happen. */
  async advance(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (const alarm of this.#alarms.filter(({ at }) => at <= this.#now)) {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
      alarm.callback();
    }
    await settled();
  }
}

/** Lets every promise that can go on do so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
