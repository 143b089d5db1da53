const WINDOW_MS = 60 * 60 * 1000;

interface Window {
  readonly startedAt: number;
  count: number;
}

/** What the three headers say of the counter that is nearest to its limit. */
export interface LimitState {
  readonly remaining: number;
  /** When the window ends, in epoch seconds. */
  readonly resetSeconds: number;
  readonly isOver: boolean;
}

/** Requests an hour, for callers without a key. @see docs/protocol/appwrite.md 5.1 (source, specification) */
export class HourlyLimits {
  readonly #windows = new Map<string, Window>();

  constructor(private readonly now: () => Date) {}

  /** Counts a request under each key; any of them can be over the limit. */
  take(keys: readonly string[], limit: number): LimitState {
    for (const key of keys) {
      const window = this.#windowOf(key);
      window.count += 1;
      this.#windows.set(key, window);
    }
    return this.look(keys, limit);
  }

  /** The state without counting a request: what a caller with a key sees. */
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
    return known !== undefined && now - known.startedAt < WINDOW_MS ? known : { startedAt: now, count: 0 };
  }
}
