import type { UploadedFile } from '../files/document-store.js';
import { invalidParameter } from './api-failure.js';

/** The parameters of one call, read as REDCap does: names are case-sensitive, and unknown ones are ignored. */
export class Parameters {
  readonly #values = new Map<string, string[]>();

  /**
   * @param entries names and values in order of appearance
   * @param file the uploaded file: the part named `file` of a multipart body
   */
  constructor(
    entries: Iterable<readonly [string, string]>,
    readonly file?: UploadedFile,
  ) {
    for (const [name, value] of entries) {
      // `records[0]`, `records[1]` and `records[]` form one list, in order of appearance.
      const key = name.endsWith(']') ? name.replace(/\[.*/s, '[]') : name;
      const known = this.#values.get(key);
      if (known === undefined) this.#values.set(key, [value]);
      else known.push(value);
    }
  }

  /** @returns the last value, like PHP; empty when absent */
  text(name: string): string {
    return this.#values.get(name)?.at(-1) ?? '';
  }

  /** Whether a parameter was sent, even if it is empty. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /**
   * Returns a list, in any of the styles that clients use: with indices, empty brackets or commas, or as a single
   * value.
   *
   * @returns the items; undefined when there are none, so that `records=` counts as not given
   * @see docs/protocol/redcap.md 1.5 (client)
   */
  list(name: string): string[] | undefined {
    const items = this.#values.get(`${name}[]`) ?? this.text(name).split(',');
    const given = items.map((item) => item.trim()).filter((item) => item !== '');
    return given.length === 0 ? undefined : given;
  }

  /** @returns whether the flag is set: `true`, `TRUE`, `True` or `1`. @see docs/protocol/redcap.md 1.4 (client) */
  flag(name: string): boolean {
    return /^(true|1)$/i.test(this.text(name).trim());
  }

  /**
   * Returns one of the given words; the first one if the parameter is absent or empty.
   *
   * @throws {ApiFailure} 400 naming the parameter
   * @see docs/protocol/redcap.md 18 (choice)
   */
  oneOf<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const text = this.text(name);
    if (text === '') return words[0];
    const word = words.find((candidate) => candidate === text);
    if (word === undefined) throw invalidParameter(name);
    return word;
  }
}
