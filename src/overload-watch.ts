/** How often the event loop is looked at. */
const INTERVAL_MS = 100;

/** Watches how late the event loop is: when it cannot keep up, more work only makes every answer later (OPS-04). */
export class EventLoopWatch {
  readonly #timer: NodeJS.Timeout;
  #expectedAt = performance.now() + INTERVAL_MS;
  #delayMs = 0;

  /** @param limitMs from which delay on the process counts as overloaded; 0 for never */
  constructor(private readonly limitMs: number) {
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS).unref();
  }

  /** Whether the loop was late at the last look, or has been late since. */
  get isOverloaded(): boolean {
    if (this.limitMs === 0) return false;
    return Math.max(this.#delayMs, performance.now() - this.#expectedAt) > this.limitMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    // One long task does not refuse requests for long: the delay of the past fades within a few looks.
    this.#delayMs = Math.max(now - this.#expectedAt, this.#delayMs / 2);
    this.#expectedAt = now + INTERVAL_MS;
  }
}
