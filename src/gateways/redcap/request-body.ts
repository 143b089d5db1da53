import type { Writable } from 'node:stream';

/** A request body that is held in memory, in any encoding. */
export interface RequestBody {
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
  /** Yields the body in order. Each piece is written into `target` and overwrites the previous one. */
  pieces(target: Buffer): Generator<Buffer, void, undefined>;
  /** Returns the whole body with one character per byte. For short bodies. */
  toString(): string;
}

/** A request body that is read from a source while it is sent, and can be sent only once. */
export interface StreamedBody {
  readonly contentType: string;
  /** In bytes; undefined if it is not known in advance, in which case the body is sent in chunks. */
  readonly length: number | undefined;
  /** Whether the whole body has been sent. */
  readonly isSent: boolean;
  /** Whether sending is waiting for the source rather than for the connection. */
  readonly isWaitingForSource: boolean;
  /**
   * Writes the body and ends the request.
   *
   * @param onProgress called when a piece has been sent
   * @throws {CrfError} the source failed; a failed connection rejects with its own error
   */
  send(request: Writable, onProgress: () => void): Promise<void>;
}
