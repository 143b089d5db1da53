import { MalformedRequestError } from '../../errors/caller-errors.js';
import type { CrfErrorOptions } from '../../errors/crf-error.js';
import type { RowPlace } from './input-item.js';
import { MAX_COLUMNS, MAX_EMPTY_LINES } from './input-limits.js';

/** What error messages call the input. */
export type InputName = 'body' | 'file';

/** Creates the errors for input that cannot be read. Each names the place and never quotes the content (IN-07). */
export class InputErrors {
  readonly #input: InputName;
  readonly #part: string | undefined;

  /** @param part what errors name instead of a row, as the beginning of a sentence */
  constructor(input: InputName = 'body', part?: string) {
    this.#input = input;
    this.#part = part;
  }

  /** Returns the errors for a part of the same input that is not a row. @param part the beginning of a sentence */
  inPart(part: string): InputErrors {
    return new InputErrors(this.#input, part);
  }

  /** @param rule the end of a sentence that begins with the row */
  row({ row, line }: RowPlace, rule: string): MalformedRequestError {
    const what = this.#part ?? (row === 0 ? 'The header' : `Record number ${row}`);
    return new MalformedRequestError(`${what} of the ${this.#input} (line ${line}) ${rule}.`);
  }

  /** @param rule the end of a sentence that begins with "The body" or "The file" */
  whole(rule: string, options: CrfErrorOptions = {}): MalformedRequestError {
    return new MalformedRequestError(`The ${this.#input} ${rule}.`, options);
  }

  notFlat(place: RowPlace): MalformedRequestError {
    const hint = this.#input === 'file' ? '--values typed' : 'values=typed';
    return this.row(
      place,
      `is not flat: values are strings, numbers, true, false or null (lists and objects need ${hint})`,
    );
  }

  tooDeep(place: RowPlace): MalformedRequestError {
    return this.row(place, 'is nested deeper than a typed row');
  }

  notUtf8(place: RowPlace): MalformedRequestError {
    return this.row(
      place,
      `is not UTF-8: save the ${this.#input} as UTF-8, or give its encoding (windows-1252?)`,
    );
  }

  tooLarge(place: RowPlace): MalformedRequestError {
    return this.row(place, 'is larger than this service reads');
  }

  tooManyColumns(place: RowPlace): MalformedRequestError {
    return this.row(place, `has more than ${MAX_COLUMNS} columns`);
  }

  unknownDelimiter(): MalformedRequestError {
    return this.whole('names a delimiter (sep=) other than comma, semicolon, tab, | and ^');
  }

  tooManyEmptyLines(line: number): MalformedRequestError {
    return this.whole(`has more than ${MAX_EMPTY_LINES} empty lines before line ${line}`);
  }
}
