import { getHeapStatistics } from 'node:v8';

/** How often to check the event loop. */
const INTERVAL_MS = 100;

/** The heap is checked only once per this number of checks, which is once a second. */
const LOOKS_PER_HEAP_LOOK = 10;

/** From this number of requests in progress on, the event loop can be late because of them. */
const ENOUGH_REQUESTS = 10;

/** The limits above which a process counts as overloaded; 0 disables a limit. */
export interface OverloadLimits {
  /** The maximum delay of the event loop. */
  readonly eventLoopDelayMs: number;
  /** The maximum share of the available heap in use, in percent. */
  readonly heapPercent: number;
}

/**
 * Watches the event loop and the heap. If a process is overloaded, accepting more work only delays every response
 * (OPS-04).
 */
export class OverloadWatch {
  readonly #limits: OverloadLimits;
  readonly #timer: NodeJS.Timeout;
  readonly #now: () => number;
  #expectedAt: number;
  #delayMs = 0;
  #looks = 0;
  #isHeapFull: boolean;

  /** @param now a monotonic clock in milliseconds, for tests */
  constructor(limits: OverloadLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#expectedAt = now() + INTERVAL_MS;
    this.#isHeapFull = isHeapFull(limits.heapPercent);
    this.#timer = setInterval(() => this.#look(), INTERVAL_MS).unref();
  }

  /**
   * Whether the heap was full at the last check, or the event loop is late with enough requests in progress to be the
   * cause. With fewer, other processes have the processor, and refusing requests would not make this one faster.
   *
   * @param running the number of requests in progress
   */
  isOverloaded(running: number): boolean {
    return this.#isHeapFull || (running >= ENOUGH_REQUESTS && this.#isLoopLate);
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
    // The previous delay is halved with each check, so that one long task does not cause refusals for long.
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
