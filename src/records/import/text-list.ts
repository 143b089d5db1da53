import { ByteList } from '../../buffers/byte-list.js';

/** A list of texts, stored as bytes until a call is answered. */
export class TextList implements Iterable<string> {
  readonly #texts = new ByteList();

  get length(): number {
    return this.#texts.length;
  }

  /** @param text without lone surrogates, which UTF-8 cannot encode */
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
