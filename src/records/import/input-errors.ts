import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import type { CrfErrorOptions } from '../../domain/errors/crf-error.js';
import { say, type Sentence } from '../../domain/errors/sentences.js';
import type { RowPlace } from './input-item.js';
import { MAX_COLUMNS, MAX_EMPTY_LINES } from './input-limits.js';

/** What error messages call the input. */
export type InputName = 'body' | 'file';

/** Creates the errors for input that cannot be read. Each names the place and never quotes the content (IN-07). */
export class InputErrors {
  /** @param part what errors name instead of a row, as the beginning of a sentence */
  constructor(
    private readonly input: InputName = 'body',
    private readonly part?: string,
  ) {}

  /** Returns the errors for a part of the same input that is not a row. @param part the beginning of a sentence */
  inPart(part: string): InputErrors {
    return new InputErrors(this.input, part);
  }

  /** @param rule what the row breaks */
  row(place: RowPlace, rule: Sentence): MalformedRequestError {
    const { row, line } = place;
    const what = this.part ?? (row === 0 ? 'The header' : `Record number ${row}`);
    const message = `${what} of the ${this.input} (line ${line}) ${rule.message}.`;
    return new MalformedRequestError(message, { rule, place });
  }

  /** @param rule what the whole input breaks */
  whole(rule: Sentence, options: CrfErrorOptions = {}): MalformedRequestError {
    return new MalformedRequestError(`The ${this.input} ${rule.message}.`, { ...options, rule });
  }

  notFlat(place: RowPlace): MalformedRequestError {
    const option = this.input === 'file' ? '--values typed' : 'values=typed';
    return this.row(place, say('not_flat', { option }));
  }

  notUtf8(place: RowPlace): MalformedRequestError {
    return this.row(place, say('not_utf8', { input: this.input, guess: 'windows-1252?' }));
  }

  tooLarge(place: RowPlace): MalformedRequestError {
    return this.row(place, say('too_large'));
  }

  tooManyColumns(place: RowPlace): MalformedRequestError {
    return this.row(place, say('too_many_columns', { most: MAX_COLUMNS }));
  }

  tooManyEmptyLines(line: number): MalformedRequestError {
    return this.whole(say('empty_lines', { most: MAX_EMPTY_LINES, line }));
  }
}
