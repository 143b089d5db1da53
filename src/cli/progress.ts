/** How often a progress line is written anew. */
const INTERVAL_MS = 200;

/** A line on stderr that tells how far a command is; on a terminal alone. The last word is written always. */
export class Progress {
  readonly #started = performance.now();
  #shownAt = 0;
  #hasLine = false;

  /** @param what is counted: `records` */
  constructor(private readonly what: string) {}

  /** @param share from 0 to 1, where the end is known: tells the time that is left */
  show(count: number, bytes: number, share?: number): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    this.#hasLine = true;
    const seconds = Math.max(0.001, (now - this.#started) / 1000);
    const left = share !== undefined && share > 0 ? `, ${clock((seconds / share) * (1 - share))} left` : '';
    const bar = share === undefined ? '' : `${barOf(share)} `;
    process.stderr.write(
      `\r\u001b[K${bar}${count} ${this.what}, ${Math.round(count / seconds)}/s, ${size(bytes)}${left}`,
    );
  }

  /** Ends the line, and says what came of it. */
  end(summary: string): void {
    if (this.#hasLine) process.stderr.write('\r\u001b[K');
    process.stderr.write(`${summary} in ${((performance.now() - this.#started) / 1000).toFixed(1)} s\n`);
  }
}

function barOf(share: number): string {
  const full = Math.round(Math.min(1, share) * 20);
  return `[${'#'.repeat(full)}${'.'.repeat(20 - full)}]`;
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
