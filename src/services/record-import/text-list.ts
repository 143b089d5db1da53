import { ByteList } from '../../buffers/byte-list.js';

/** Texts in order, kept as bytes while they wait for the answer of a call. */
export class TextList implements Iterable<string> {
  readonly #texts = new ByteList();

  get length(): number {
    return this.#texts.length;
  }

  /** @param text without half of a surrogate pair, which UTF-8 cannot carry */
  add(text: string): void {
    this.#texts.addText(text);
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    for (let at = 0; at < this.#texts.length; at++) yield this.#texts.at(at).toString();
  }

  clear(): void {
    this.#texts.clear();
  }
}
