import { createHash } from 'node:crypto';
import { ProblemError } from '../../domain/errors/problem-error.js';
import type { Readable } from 'node:stream';
import { CrfError } from '../../domain/errors/crf-error.js';
import { CancelledError } from '../../domain/errors/caller-errors.js';
import { countBuffer } from '../../domain/bytes/stream-buffers.js';
import type { ReaderPaceOptions } from '../streaming/reader-pace.js';
import { pacedUpload } from '../streaming/paced-upload.js';

/** The hash of the part of a body that has been read. */
export interface BodyDigest {
  readonly sha256: string;
  /** Size of that part. */
  readonly bytes: number;
  /** Whether the body ended there. */
  readonly isWhole: boolean;
}

export interface ImportBodyOptions {
  readonly limitBytes: number;
  /** Text hashed before the body, such as the options of the URL. Nothing is hashed without it. */
  readonly hashedFirst?: string | undefined;
  /** The minimum speed of the sender, for bodies of HTTP requests; none by default (OPS-03). */
  readonly pace?: ReaderPaceOptions | undefined;
  /** Number of bytes to hash: the part that an earlier request had read. All bytes by default. */
  readonly hashedBytes?: number | undefined;
}

/** The body of an import. It is read once in small pieces, which are counted and hashed as they pass. */
export class ImportBody {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #isWhole = false;
  #isDiscarding = false;

  constructor(
    private readonly source: Readable,
    private readonly options: ImportBodyOptions,
  ) {
    this.#hash.update(`${options.hashedFirst ?? ''}\n`);
  }

  /**
   * Yields the bytes in pieces of at most 32 KiB. Leaving the loop early does not destroy the source, because the
   * connection of an HTTP request is still needed for the response.
   *
   * @throws {ProblemError} `payload_too_large`: the body is longer than the limit
   * @throws {CancelledError} the sender disconnected before the end of the body
   * @throws {ProblemError} `request_timeout`: the sender was slower than the minimum speed
   */
  pieces(): AsyncGenerator<Buffer, void, undefined> {
    const { pace } = this.options;
    return pace === undefined ? this.#read() : pacedUpload(this.#read(), this.source, pace);
  }

  async *#read(): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of this.source.iterator({ destroyOnReturn: false })) {
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
      // Ending the iteration, which can happen late for CSV, pauses the source again.
      if (this.#isDiscarding) this.discardRest();
    }
    this.#isWhole = true;
  }

  /** Reads the rest of the body to hash it. */
  async readToEnd(): Promise<void> {
    const pieces = this.pieces();
    while (!(await pieces.next()).done);
  }

  /** Returns the hash of what has been read so far. */
  digest(): BodyDigest {
    const { hashedBytes } = this.options;
    return {
      sha256: this.#hash.copy().digest('hex'),
      bytes: Math.min(this.#bytes, hashedBytes ?? this.#bytes),
      isWhole: this.#isWhole && (hashedBytes === undefined || this.#bytes === hashedBytes),
    };
  }

  /** Consumes the rest of the body unread: an HTTP connection is blocked until its request has been read. */
  discardRest(): void {
    this.#isDiscarding = true;
    discard(this.source);
  }

  #take(piece: Buffer): void {
    const { limitBytes, hashedFirst, hashedBytes = Infinity } = this.options;
    const before = this.#bytes;
    if (before + piece.length > limitBytes) throw new ProblemError('payload_too_large', { limitBytes });
    this.#bytes += piece.length;
    if (hashedFirst !== undefined && before < hashedBytes)
      this.#hash.update(piece.subarray(0, hashedBytes - before));
  }
}

/** Consumes a source without reading it. An error of the source is ignored, because it must not end the process. */
export function discard(source: Readable): void {
  if (source.destroyed || source.readableEnded) return;
  if (source.listenerCount('error', ignore) === 0) source.on('error', ignore);
  source.resume();
}

function ignore(): void {
  // The reader of the source has already failed or has everything it needs.
}

/** Small enough that hashing, splitting and checking one piece takes only a few milliseconds. */
const PIECE_BYTES = 32 * 1024;
