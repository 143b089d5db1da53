import { Writable } from 'node:stream';

/** A sink that keeps the text written to it. */
export class KeptText extends Writable {
  text = '';
  readonly firstWrite: Promise<void>;
  #tellFirst: () => void = () => undefined;

  constructor() {
    super();
    this.firstWrite = new Promise((resolve) => (this.#tellFirst = resolve));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    this.#tellFirst();
    done();
  }
}
