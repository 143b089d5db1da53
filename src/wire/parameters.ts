import { invalidParameter } from './api-failure.js';
import type { Format } from './answer.js';

/** An uploaded file. */
export interface UploadedFile {
  readonly name: string;
  /** The media type, as sent by the client. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A parameter with brackets: its values by index, in order of appearance. */
type Indexed = Map<string, string>;

/**
 * The parameters of one call, read as PHP does: names are case-sensitive, unknown ones are ignored, and of several with
 * the same name the last one counts. `fields=` after `fields[1]=age` means no fields, `fields[0]=` after `fields=age` a
 * list.
 *
 * @see docs/protocol/redcap.md 1.5 (client), 20 (client)
 */
export class Parameters {
  readonly #values = new Map<string, string | Indexed>();

  /**
   * @param entries names and values in order of appearance
   * @param file the uploaded file: the part named `file` of a multipart body
   */
  constructor(
    entries: Iterable<readonly [string, string]>,
    readonly file?: UploadedFile,
  ) {
    for (const [name, value] of entries) {
      const bracket = name.endsWith(']') ? name.indexOf('[') : -1;
      if (bracket > 0) this.#add(name.slice(0, bracket), name.slice(bracket + 1, -1), value);
      else this.#values.set(name, value);
    }
  }

  /** @param index empty for another item: `records[]` */
  #add(name: string, index: string, value: string): void {
    const known = this.#values.get(name);
    const list: Indexed =
      known === undefined || typeof known === 'string' ? new Map<string, string>() : known;
    if (list !== known) this.#values.set(name, list);
    list.set(index === '' ? `[]${list.size}` : index, value);
  }

  /** @returns the value; empty when absent, and for a list */
  text(name: string): string {
    const value = this.#values.get(name);
    return typeof value === 'string' ? value : '';
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
    const value = this.#values.get(name) ?? '';
    const items = typeof value === 'string' ? value.split(',') : [...value.values()];
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

const DELIMITERS: ReadonlyMap<string, string> = new Map([
  ['', ','],
  [',', ','],
  ['tab', '\t'],
  ['\t', '\t'],
  [';', ';'],
  ['|', '|'],
  ['^', '^'],
]);

/** Returns the CSV delimiter of a call; a comma if the given one is unknown. @see docs/protocol/redcap.md 4.1 (doc) */
export function delimiterOf(parameters: Parameters): string {
  return DELIMITERS.get(parameters.text('csvDelimiter')) ?? ',';
}

/**
 * Returns the format of a call. The default is XML, although many clients assume JSON.
 *
 * @see docs/protocol/redcap.md 1.3 (doc)
 */
export function formatOf(parameters: Parameters): Format {
  const format = parameters.text('format');
  if (format === '' || format === 'xml') return 'xml';
  if (format === 'json' || format === 'csv') return format;
  // ODM is XML, for contents that export records. @see docs/protocol/redcap.md 1.3 (doc)
  if (format === 'odm' && ['record', 'report'].includes(parameters.text('content'))) return 'xml';
  throw invalidParameter('format');
}

/** Returns the format of errors and of the results of writes: `returnFormat`, else `format`, else XML. (doc) */
export function returnFormatOf(parameters: Parameters): Format {
  const format = parameters.text('returnFormat') || parameters.text('format');
  return format === 'json' || format === 'csv' ? format : 'xml';
}
