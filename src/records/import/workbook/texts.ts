import { BOUNDS, refuseBeyond } from './workbook-limits.js';
import type { XmlListener } from './read-xml.js';

/** Returns a text of a workbook as a person sees it: characters that XML cannot hold are written as `_x000D_`. */
export function plainText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** A text of one or more pieces, which may be formatted; without the readings that stand above Japanese words. */
export class RichText implements XmlListener {
  #text = '';
  #isText = false;
  #isReading = false;

  open(name: string): void {
    if (name === 't') this.#isText = true;
    else if (name === 'rPh') this.#isReading = true;
  }

  text(piece: string): void {
    if (!this.#isText || this.#isReading) return;
    this.#text += piece;
    refuseBeyond('text_characters', this.#text.length, BOUNDS.text_characters);
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isReading = false;
  }

  /** Returns the text that has been read, and begins another one. */
  take(): string {
    const text = plainText(this.#text);
    this.#text = '';
    return text;
  }
}

/** The texts that cells share, which name them by their index. */
export class SharedTexts extends RichText {
  readonly texts: string[] = [];

  constructor(private readonly most: number) {
    super();
  }

  override close(name: string): void {
    super.close(name);
    if (name !== 'si') return;
    refuseBeyond('shared_texts', this.texts.length + 1, this.most);
    this.texts.push(this.take());
  }
}
