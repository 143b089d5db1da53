import { isAnimated } from '../../server/config/environment.js';
import { terminalWidth } from './table.js';

const INTERVAL_MS = 200;

const WAITING_MS = 500;

/** Standard error, and the environment, which may ask for plain text. */
interface ProgressIo {
  readonly stderr: { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };
  readonly env?: NodeJS.ProcessEnv | undefined;
}

interface ProgressOptions {
  readonly what: string;
  /** `--quiet`: print only errors and warnings. */
  readonly isQuiet?: boolean;
  /** Whether to draw the line. By default, it is drawn on a terminal and plain text was not requested. */
  readonly isDrawn?: boolean;
  /** Returns milliseconds since any point in time. */
  readonly now?: () => number;
}

/** A line that shows the progress of a command, on terminals only. The summary at the end is always written. */
export class Progress {
  readonly #what: string;
  readonly #stream: ProgressIo['stderr'];
  readonly #isDrawn: boolean;
  readonly #isQuiet: boolean;
  #waiting: NodeJS.Timeout | undefined;
  readonly #now: () => number;
  readonly #started: number;
  #shownAt = 0;
  #hasLine = false;

  constructor({ stderr, env }: ProgressIo, options: ProgressOptions) {
    const { what, isDrawn, isQuiet = false, now = () => performance.now() } = options;
    this.#what = what;
    this.#stream = stderr;
    this.#isQuiet = isQuiet;
    this.#isDrawn = !isQuiet && (isDrawn ?? isAnimated(stderr, env));
    this.#now = now;
    this.#started = now();
    if (this.#isDrawn) this.#waiting = setInterval(() => this.wait(), WAITING_MS).unref();
  }

  /** Shows that nothing has been received yet. Called by a timer until something is. */
  wait(): void {
    this.#draw(`Waiting for REDCap, ${clock((this.#now() - this.#started) / 1000)}`);
  }

  /** @param share from 0 to 1, if the total is known; adds a bar and the remaining time */
  show(count: number, bytes: number, share?: number): void {
    if (!this.#isDue()) return;
    const seconds = Math.max(0.001, (this.#shownAt - this.#started) / 1000);
    const left = share !== undefined && share > 0 ? `, ${clock((seconds / share) * (1 - share))} left` : '';
    const bar = share === undefined ? '' : `${barOf(share)} `;
    this.#draw(`${bar}${count} ${this.#what}, ${Math.round(count / seconds)}/s, ${size(bytes)}${left}`);
  }

  /** Shows how far a part of the work is: `records: 1200`. */
  say(line: string): void {
    if (this.#isDue()) this.#draw(line);
  }

  #isDue(): boolean {
    const now = this.#now();
    if (!this.#isDrawn || now - this.#shownAt < INTERVAL_MS) return false;
    this.#shownAt = now;
    clearInterval(this.#waiting);
    return true;
  }

  /** Cuts the line below the width of the terminal, since a wrapped line could not be cleared. */
  #draw(line: string): void {
    this.#hasLine = true;
    this.#stream.write(`\r\u001b[K${line.slice(0, (terminalWidth(this.#stream) ?? 80) - 1)}`);
  }

  /** Ends the line with a summary and the duration. @param warnings stand before it, and are written in any case */
  end(summary: string, warnings: readonly string[] = []): void {
    const seconds = ((this.#now() - this.#started) / 1000).toFixed(1);
    const lines = this.#isQuiet ? warnings : [...warnings, `${summary} in ${seconds} s`];
    if (lines.length > 0) this.fail(lines.join('\n'));
    else clearInterval(this.#waiting);
  }

  fail(text: string): void {
    clearInterval(this.#waiting);
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
