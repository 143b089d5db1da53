import { getHeapStatistics } from 'node:v8';

/** How often the event loop is looked at. */
const INTERVAL_MS = 100;

/** At which of these looks the heap is looked at too: once a second is soon enough. */
const LOOKS_PER_HEAP_LOOK = 10;

/** From where on a process counts as overloaded; 0 for never. */
export interface OverloadLimits {
  /** How late the event loop may be. */
  readonly eventLoopDelayMs: number;
  /** How much of the heap that the process may have is in use, in percent. */
  readonly heapPercent: number;
}

/** Watches the event loop and the heap: a process that cannot keep up only makes every answer later with more work (OPS-04). */
export class OverloadWatch {
  readonly #limits: OverloadLimits;
  readonly #timer: NodeJS.Timeout;
  readonly #now: () => number;
  #expectedAt: number;
  #delayMs = 0;
  #looks = 0;
  #isHeapFull: boolean;

  /** @param now milliseconds that only grow, for tests */
  constructor(limits: OverloadLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#expectedAt = now() + INTERVAL_MS;
    this.#isHeapFull = isHeapFull(limits.heapPercent);
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS).unref();
  }

  /** Whether the heap was full or the loop late when they were last looked at, or the loop has been late since. */
  get isOverloaded(): boolean {
    return this.#isHeapFull || this.#isLoopLate;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get #isLoopLate(): boolean {
    const { eventLoopDelayMs } = this.#limits;
    if (eventLoopDelayMs === 0) return false;
    return Math.max(this.#delayMs, this.#now() - this.#expectedAt) > eventLoopDelayMs;
  }

  #look(): void {
    const now = this.#now();
    // One long task does not refuse requests for long: the delay of the past fades within a few looks.
    this.#delayMs = Math.max(now - this.#expectedAt, this.#delayMs / 2);
    this.#expectedAt = now + INTERVAL_MS;
    this.#looks += 1;
    if (this.#looks % LOOKS_PER_HEAP_LOOK === 0) this.#isHeapFull = isHeapFull(this.#limits.heapPercent);
  }
}

function isHeapFull(limitPercent: number): boolean {
  if (limitPercent === 0) return false;
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return (used / limit) * 100 > limitPercent;
}
