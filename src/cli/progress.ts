import { isAnimated } from '../config/terminal.js';

/** How often a progress line is written anew. */
const INTERVAL_MS = 200;

export interface ProgressOptions {
  /** What is counted: `rows`. */
  readonly what: string;
  /** Where to write; standard error by default. */
  readonly stream?: { readonly isTTY?: boolean; write(text: string): unknown };
  /** Whether a line may be drawn; by default whether the stream is a terminal, and nobody asked for plain text. */
  readonly isDrawn?: boolean;
  /** Milliseconds from any point. */
  readonly now?: () => number;
}

/** A line that tells how far a command is, on a terminal alone. The last word is written always. */
export class Progress {
  readonly #what: string;
  readonly #stream: NonNullable<ProgressOptions['stream']>;
  readonly #isDrawn: boolean;
  readonly #now: () => number;
  readonly #started: number;
  #shownAt = 0;
  #hasLine = false;

  constructor({ what, stream = process.stderr, isDrawn, now = () => performance.now() }: ProgressOptions) {
    this.#what = what;
    this.#stream = stream;
    this.#isDrawn = isDrawn ?? isAnimated(stream);
    this.#now = now;
    this.#started = now();
  }

  /** @param share from 0 to 1, where the end is known: draws a bar, and tells the time that is left */
  show(count: number, bytes: number, share?: number): void {
    const now = this.#now();
    if (!this.#isDrawn || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    this.#hasLine = true;
    const seconds = Math.max(0.001, (now - this.#started) / 1000);
    const left = share !== undefined && share > 0 ? `, ${clock((seconds / share) * (1 - share))} left` : '';
    const bar = share === undefined ? '' : `${barOf(share)} `;
    this.#stream.write(
      `\r\u001b[K${bar}${count} ${this.#what}, ${Math.round(count / seconds)}/s, ${size(bytes)}${left}`,
    );
  }

  /** Ends the line, and says what came of it and how long it took. */
  end(summary: string): void {
    this.fail(`${summary} in ${((this.#now() - this.#started) / 1000).toFixed(1)} s`);
  }

  /** Ends the line, and says what went wrong. */
  fail(text: string): void {
    this.#stream.write(`${this.#hasLine ? '\r\u001b[K' : ''}${text}\n`);
    this.#hasLine = false;
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
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
