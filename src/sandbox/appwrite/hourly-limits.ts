const WINDOW_MS = 60 * 60 * 1000;

/** Requests an hour, for callers without a key. @see docs/protocol/appwrite.md 5.1 (source) */
export class HourlyLimits {
  readonly #windows = new Map<string, { startedAt: number; count: number }>();

  constructor(private readonly now: () => Date) {}

  /** Counts a request. @returns what the three headers say, and whether it is over the limit */
  take(key: string, limit: number): { remaining: number; resetSeconds: number; isOver: boolean } {
    const now = this.now().getTime();
    const known = this.#windows.get(key);
    const window =
      known !== undefined && now - known.startedAt < WINDOW_MS ? known : { startedAt: now, count: 0 };
    window.count += 1;
    this.#windows.set(key, window);
    return {
      remaining: Math.max(0, limit - window.count),
      resetSeconds: Math.ceil((window.startedAt + WINDOW_MS) / 1000),
      isOver: window.count > limit,
    };
  }
}
