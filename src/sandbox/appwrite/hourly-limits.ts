const WINDOW_MS = 60 * 60 * 1000;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** The state of the counter that is closest to its limit, for the three rate limit headers. */
export interface LimitState {
  readonly remaining: number;
  /** End of the window, in epoch seconds. */
  readonly resetSeconds: number;
  readonly isOver: boolean;
}

/** Hourly request limits for callers without a key. @see docs/protocol/appwrite.md 5.1 (source, specification) */
export class HourlyLimits {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly now: () => Date) {}

  /** Counts a request under each key. It is over the limit if any of them is. */
  take(keys: readonly string[], limit: number): LimitState {
    for (const key of keys) {
      const window = this.#windowOf(key);
      if (window.count === 0) this.#forgetEnded();
      window.count += 1;
      this.#windows.set(key, window);
    }
    return this.look(keys, limit);
  }

  /** Returns the state without counting a request, for callers with a key. */
  look(keys: readonly string[], limit: number): LimitState {
    const windows = keys.map((key) => this.#windowOf(key));
    const { startedAt, count } = windows.reduce((left, right) => (right.count > left.count ? right : left));
    return {
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.ceil((startedAt + WINDOW_MS) / 1000),
      isOver: count > limit,
    };
  }

  forget(keys: readonly string[]): void {
    for (const key of keys) this.#windows.delete(key);
  }

  #windowOf(key: string): Window {
    const now = this.now().getTime();
    const known = this.#windows.get(key);
    return known !== undefined && isOpen(known, now) ? known : { startedAt: now, count: 0 };
  }

  #forgetEnded(): void {
    const now = this.now().getTime();
    for (const [key, window] of this.#windows) if (!isOpen(window, now)) this.#windows.delete(key);
  }
}

function isOpen({ startedAt }: Window, now: number): boolean {
  return now - startedAt < WINDOW_MS;
}
