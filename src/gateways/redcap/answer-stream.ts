import { Readable } from 'node:stream';
import { heard } from '../../domain/bytes/heard.js';
import type { CrfError } from '../../domain/errors/crf-error.js';
import {
  UpstreamInvalidError,
  UpstreamTimeoutError,
  UpstreamUnavailableError,
} from '../../domain/errors/upstream-errors.js';
import { HeldBytes } from '../../domain/bytes/held-bytes.js';
import { countBuffer } from '../../domain/bytes/stream-buffers.js';
import { Utf8Check } from '../../domain/bytes/utf8.js';
import { NOT_UTF8, type AnswerBody } from './answer-body.js';
import { type Cancellation, StageTimer } from './cancellation.js';
import { classifyErrorBody, notAsAsked } from './classify-answer.js';
import { toErrorBody } from './error-text.js';
import type { ExportForm } from './export-form.js';
import { toNetworkCause } from './http-exchange.js';
import type { Clock } from './resilience/clock.js';
import type { RowWatch } from './row-watch.js';

export interface AnswerStreamOptions {
  readonly form: ExportForm;
  readonly idleMs: number;
  readonly clock?: Clock | undefined;
  readonly cancellation?: Cancellation | undefined;
}

/**
 * The bytes of an export as they arrive, unparsed and unchanged but for a byte order mark. The stream ends normally only if the body was complete
 * and ended as its format requires; otherwise it is destroyed with one of this package's errors.
 */
export class AnswerStream extends Readable {
  readonly #body: AnswerBody;
  readonly #options: AnswerStreamOptions;
  readonly #timer: StageTimer;
  readonly #onOpened: (error?: Error) => void;
  #isOpened = false;
  #state: 'opening' | 'odd' | 'open' | 'ended' = 'opening';
  readonly #head = new HeldBytes();
  #tail: Buffer = Buffer.alloc(0);
  #isPaused = false;
  /** Bytes passed on in this turn of the event loop. */
  #turnBytes = 0;
  #isEmpty = false;
  readonly #utf8: Utf8Check | undefined;
  /** Follows the rows that have arrived. Not for files: their framing, or their format, marks the end. */
  readonly rows: RowWatch | undefined;

  /**
   * Opens the stream once its first bytes have been recognised as those of an export. A body that has arrived whole by
   * then, and fits into the stream, is judged to its end first: what is wrong with it is thrown here.
   *
   * @throws {UpstreamInvalidError} the first bytes are not those of an export
   * @throws {UpstreamUnavailableError} the body broke off before they arrived
   * @throws {UpstreamTimeoutError} they did not arrive in time
   */
  static open(body: AnswerBody, options: AnswerStreamOptions): Promise<AnswerStream> {
    return new Promise((resolve, reject) => {
      const stream = new AnswerStream(body, options, (error) => (error ? reject(error) : resolve(stream)));
    });
  }

  private constructor(body: AnswerBody, options: AnswerStreamOptions, opened: (error?: Error) => void) {
    super({ highWaterMark: HIGH_WATER_BYTES });
    this.#body = body;
    this.#options = options;
    this.#timer = new StageTimer(options.clock);
    this.#onOpened = opened;
    this.#utf8 = options.form.isBinary ? undefined : new Utf8Check();
    this.rows = options.form.watchRows?.();
    heard(this);
    this.#listen();
  }

  /** Whether the export has neither rows nor a header. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  #listen(): void {
    const { cancellation, idleMs } = this.#options;
    if (cancellation?.error !== undefined) {
      this.destroy(cancellation.error);
      return;
    }
    cancellation?.subscribe(this.#onCancel);
    this.#timer.start(idleMs, this.#onIdle);
    this.#body.bytes.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    this.#body.bytes.once('end', () => this.#onEnd());
    this.#body.bytes.on('error', (error: Error) => this.#onBreak(error));
    this.#body.bytes.once('close', () => this.#onBreak());
  }

  readonly #onCancel = (error: Error): void => {
    this.destroy(error);
  };

  readonly #onIdle = (): void => {
    this.destroy(new UpstreamTimeoutError('idle'));
  };

  #onBreak(error?: Error): void {
    if (this.#state === 'ended' || this.destroyed) return;
    this.destroy(new UpstreamUnavailableError('body', error && { cause: toNetworkCause(error) }));
  }

  #onChunk(chunk: Buffer): void {
    if (this.destroyed) return;
    countBuffer(chunk.length);
    this.#timer.refresh();
    if (this.#state === 'open') return this.#pass(chunk);
    this.#head.add(chunk);
    if (this.#state === 'opening') this.#judge(this.#head.take(), false);
    else if (this.#head.length >= ODD_BODY_BYTES) this.#refuse(this.#head.take());
  }

  #judge(head: Buffer, hasEnded: boolean): void {
    const verdict = this.#options.form.judgeStart(head.toString('latin1'), hasEnded);
    if (verdict === 'odd') {
      this.#state = 'odd';
      if (hasEnded || head.length >= ODD_BODY_BYTES) this.#refuse(head);
      else this.#head.add(head);
    } else if (verdict === 'more') {
      // Each piece is judged with all before it, so blanks without end would take ever longer.
      if (head.length >= UNDECIDED_BYTES) this.#refuse(head);
      else this.#head.add(head);
    } else {
      this.#state = 'open';
      this.#isEmpty = verdict === 'empty';
      if (verdict === 'data') this.#pass(this.#options.form.isBinary ? head : withoutMark(head));
      setImmediate(() => {
        if (!this.#body.isWhole()) this.#open();
      });
    }
  }

  #open(): void {
    if (this.destroyed) return;
    this.#isOpened = true;
    this.#onOpened();
  }

  #refuse(head: Buffer): void {
    const errorBody = toErrorBody(head.toString('utf8'));
    this.destroy(
      errorBody === undefined ? notAsAsked(this.#options.form.name) : classifyErrorBody(errorBody),
    );
  }

  #pass(chunk: Buffer): void {
    if (this.#utf8?.take(chunk) === false) {
      this.destroy(new UpstreamInvalidError(NOT_UTF8));
      return;
    }
    this.rows?.take(chunk);
    this.#tail = (chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([this.#tail, chunk])).subarray(
      -TAIL_BYTES,
    );
    const wantsMore = this.push(chunk);
    this.#countInTurn(chunk.length);
    if (wantsMore) return;
    this.#open();
    // The reader is slow, not REDCap: as long as reading is paused, silence does not count as a timeout.
    this.#isPaused = true;
    this.#timer.stop();
    this.#body.bytes.pause();
  }

  /**
   * Pauses after a limit per turn. Otherwise one stream blocks the event loop: libuv reads up to 2 MB from one socket
   * before it moves on to the next.
   */
  #countInTurn(bytes: number): void {
    if (this.#turnBytes === 0) setImmediate(this.#onTurnEnd);
    this.#turnBytes += bytes;
    if (this.#turnBytes >= TURN_BYTES) this.#body.bytes.pause();
  }

  readonly #onTurnEnd = (): void => {
    const hasYielded = this.#turnBytes >= TURN_BYTES;
    this.#turnBytes = 0;
    if (hasYielded && !this.#isPaused) this.#body.bytes.resume();
  };

  #onEnd(): void {
    if (this.destroyed) return;
    if (!this.#body.isWhole()) return this.#onBreak();
    if (this.#state === 'opening') this.#judge(this.#head.take(), true);
    else if (this.#state === 'odd') this.#refuse(this.#head.take());
    if (this.#state !== 'open') return;
    const wrong = this.#faultAtEnd();
    if (wrong !== undefined) {
      this.destroy(wrong);
      return;
    }
    this.#state = 'ended';
    this.#timer.stop();
    this.push(null);
    this.#open();
  }

  #faultAtEnd(): CrfError | undefined {
    const { form } = this.#options;
    const { hasMarkedEnd } = this.#body;
    const wrong = form.judgeEnd(this.#tail.toString('latin1'), hasMarkedEnd);
    if (wrong !== undefined) return wrong;
    if (this.rows?.isWhole() === false)
      return hasMarkedEnd
        ? notAsAsked(`${form.name}, whole to its end`)
        : new UpstreamUnavailableError('body');
    if (this.#utf8?.isComplete !== false) return undefined;
    return hasMarkedEnd ? new UpstreamInvalidError(NOT_UTF8) : new UpstreamUnavailableError('body');
  }

  override _read(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#timer.start(this.#options.idleMs, this.#onIdle);
    if (this.#turnBytes < TURN_BYTES) this.#body.bytes.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#timer.stop();
    this.#options.cancellation?.unsubscribe(this.#onCancel);
    if (this.#state !== 'ended') this.#body.destroy();
    if (!this.#isOpened) this.#onOpened(error ?? new UpstreamUnavailableError('body'));
    callback(this.#isOpened ? error : null);
  }
}

/** Removes a byte order mark, which in the middle of an answer of this service would be a character. */
function withoutMark(head: Buffer): Buffer {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
}

/** Large enough for few wake-ups, small enough for many exports at the same time. */
const HIGH_WATER_BYTES = 256 * 1024;
/** The most that passes in one turn of the event loop, so that other work does not wait long while many exports run. */
const TURN_BYTES = 256 * 1024;
/** Enough for the error message of an export that failed midway. */
const TAIL_BYTES = 1024;
/** How much is read of a body that is not an export. */
const ODD_BODY_BYTES = 64 * 1024;
/** How much may arrive before it is clear whether it is an export: more than any format needs. */
const UNDECIDED_BYTES = 16 * 1024;
