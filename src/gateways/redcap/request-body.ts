import type { Writable } from 'node:stream';

/** The body of a call that stands in memory, whatever it is written in. */
export interface RequestBody {
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
  /** The body in order. Each piece is written into `target`, over the one before. */
  pieces(target: Buffer): Generator<Buffer, void, undefined>;
  /** The whole body, a character a byte: for a short one. */
  toString(): string;
}

/** The body of a call that comes from elsewhere while it is sent, and can be sent once. */
export interface StreamedBody {
  readonly contentType: string;
  /** In bytes; undefined when nobody knows it before the end, and the body is sent in chunks. */
  readonly length: number | undefined;
  /** Whether all of it has been sent. */
  readonly isSent: boolean;
  /** Whether the source is what is waited for, and not the connection. */
  readonly isWaitingForSource: boolean;
  /**
   * Writes the body and ends the request.
   *
   * @param onProgress called when a piece has left
   * @throws {CrfError} the source failed; or the error of the connection
   */
  send(request: Writable, onProgress: () => void): Promise<void>;
}
