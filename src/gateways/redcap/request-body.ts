/** The body of a call, whatever it is written in. */
export interface RequestBody {
  readonly contentType: string;
  /** In bytes. */
  readonly length: number;
  /** The body in order. Each piece stands in the same room, and is gone when the next is asked for. */
  pieces(room: Buffer): Generator<Buffer, void, undefined>;
  /** The whole body, a character a byte: for a short one. */
  toString(): string;
}
