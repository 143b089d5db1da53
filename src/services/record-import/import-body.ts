import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { CrfError } from '../../errors/crf-error.js';
import { CancelledError, PayloadTooLargeError } from '../../errors/caller-errors.js';
import { countBuffer } from '../../buffers/stream-buffers.js';

/** The hash of the part of a body that was read. */
export interface BodyDigest {
  readonly sha256: string;
  /** Length of that part. */
  readonly bytes: number;
  /** Whether the body ended there. */
  readonly isWhole: boolean;
}

export interface ImportBodyOptions {
  readonly limitBytes: number;
  /** Hashed before the bytes, as the options of the URL are. Nothing is hashed without it. */
  readonly hashedFirst?: string | undefined;
  /** Hash this many bytes only: the part that an earlier request had read. Everything when not given. */
  readonly hashedBytes?: number | undefined;
}

/** The body of an import, read once, in small pieces; counted and hashed as it passes. */
export class ImportBody {
  readonly #source: Readable;
  readonly #options: ImportBodyOptions;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #isWhole = false;
  #isDiscarding = false;

  constructor(source: Readable, options: ImportBodyOptions) {
    this.#source = source;
    this.#options = options;
    this.#hash.update(`${options.hashedFirst ?? ''}\n`);
  }

  /**
   * The bytes in pieces of at most 32 KiB. Leaving early does not destroy the source: an HTTP request's
   * connection still has to carry the answer.
   *
   * @throws {PayloadTooLargeError} the body is longer than the limit
   * @throws {CancelledError} the sender broke off: the body did not end
   */
  async *pieces(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of this.#source.iterator({ destroyOnReturn: false })) {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
        countBuffer(bytes.length);
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          const piece = bytes.subarray(at, at + PIECE_BYTES);
          this.#take(piece);
          yield piece;
        }
      }
    } catch (error) {
      throw error instanceof CrfError ? error : new CancelledError({ cause: error });
    } finally {
      // A reader that is left late, as CSV's is, stops the flow once more.
      if (this.#isDiscarding) this.discardRest();
    }
    this.#isWhole = true;
  }

  /** Reads what is left, for its hash. */
  async readToEnd(): Promise<void> {
    const pieces = this.pieces();
    while (!(await pieces.next()).done);
  }

  /** What was read so far. */
  digest(): BodyDigest {
    const { hashedBytes } = this.#options;
    return {
      sha256: this.#hash.copy().digest('hex'),
      bytes: Math.min(this.#bytes, hashedBytes ?? this.#bytes),
      isWhole: this.#isWhole && (hashedBytes === undefined || this.#bytes === hashedBytes),
    };
  }

  /** Lets what is left of the body pass: an HTTP connection whose request is not read to its end is blocked. */
  discardRest(): void {
    this.#isDiscarding = true;
    discard(this.#source);
  }

  #take(piece: Buffer): void {
    const { limitBytes, hashedFirst, hashedBytes = Infinity } = this.#options;
    const before = this.#bytes;
    if (before + piece.length > limitBytes) throw new PayloadTooLargeError(limitBytes);
    this.#bytes += piece.length;
    if (hashedFirst !== undefined && before < hashedBytes)
      this.#hash.update(piece.subarray(0, hashedBytes - before));
  }
}

/** Lets a source pass unread. That it breaks off then is nobody's concern, and must not end the process. */
export function discard(source: Readable): void {
  if (source.destroyed || source.readableEnded) return;
  if (source.listenerCount('error', ignore) === 0) source.on('error', ignore);
  source.resume();
}

function ignore(): void {
  // Whoever reads the source has failed already, or has all it needs.
}

/** Small enough that hashing, splitting and checking one piece takes a few milliseconds. */
const PIECE_BYTES = 32 * 1024;
