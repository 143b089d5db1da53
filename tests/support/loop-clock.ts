import type { Clock } from '../../src/gateways/redcap/resilience/clock.js';

/**
 * A clock that never runs ahead of this process. Each of its milliseconds takes a real one plus a whole turn of the
 * event loop. When a busy machine delays the process, it delays the clock too, so that a server and a client in this
 * process always have the same time for the same work.
 */
export class LoopClock implements Clock {
  #now = 1_000;
  #alarms = new Set<{ readonly at: number; readonly callback: () => void }>();
  #isTicking = false;
  /** All scheduled delays, in milliseconds. */
  readonly scheduled: number[] = [];

  now(): number {
    return this.#now;
  }

  random(): number {
    return 0.5;
  }

  schedule(milliseconds: number, callback: () => void): () => void {
    const alarm = { at: this.#now + milliseconds, callback };
    this.scheduled.push(milliseconds);
    this.#alarms.add(alarm);
    this.#tick();
    return () => void this.#alarms.delete(alarm);
  }

  #tick(): void {
    if (this.#isTicking || this.#alarms.size === 0) return;
    this.#isTicking = true;
    // The timer waits one millisecond, the immediate lets all pending socket events be processed.
    setTimeout(() => setImmediate(() => this.#move()), 1);
  }

  #move(): void {
    this.#isTicking = false;
    this.#now += 1;
    for (const alarm of [...this.#alarms]) {
      if (alarm.at > this.#now || !this.#alarms.delete(alarm)) continue;
      alarm.callback();
    }
    this.#tick();
  }
}
