import { CrfError, type CrfErrorOptions } from './crf-error.js';
import type { Sentence } from './sentences.js';
import { sentenceOf, type FieldProblem, type RecordProblem } from './field-problem.js';

/** An identifier is not valid: `errors` has one entry, with what it is of and the rule. The value is not repeated. */
export class InvalidIdentifierError extends CrfError {
  static override readonly name = 'InvalidIdentifierError';
  readonly code = 'invalid_identifier';

  /**
   * @param subject what was parsed, as the start of a sentence: `A record id`
   * @param rule the rest of the sentence: `must have 20 to 100 characters`
   */
  constructor(subject: string, rule: string) {
    const field = subject.replace(/^(?:An?|The) /, '');
    super(`${subject} ${rule}.`, { errors: [{ field, message: rule }] });
  }
}

/** One or more parameters or properties are not valid. `errors` has the rule for each of them. */
export class InvalidRequestError extends CrfError {
  static override readonly name = 'InvalidRequestError';
  readonly code = 'invalid_request';

  constructor(errors: readonly FieldProblem[], options: CrfErrorOptions = {}) {
    super(sentenceOf(errors, 'The request is not valid.'), { ...options, errors });
  }
}

/** The request cannot be parsed: broken JSON, CSV or percent-encoding. Correct its syntax before sending it again. */
export class MalformedRequestError extends CrfError {
  static override readonly name = 'MalformedRequestError';
  readonly code = 'malformed_request';
  /** What the input breaks, if it is about the input of an import. */
  readonly rule: Sentence | undefined;
  /** The row that breaks it, from 1 (0 is the header), and its line; undefined if it is the whole input. */
  readonly place: { readonly row: number; readonly line: number } | undefined;

  constructor(
    message: string,
    options: CrfErrorOptions & Partial<Pick<MalformedRequestError, 'rule' | 'place'>> = {},
  ) {
    super(message, options);
    this.rule = options.rule;
    this.place = options.place;
  }
}

/**
 * Records violate a rule of this service or of the data dictionary, or REDCap refused them. The call stored nothing.
 */
export class InvalidRecordsError extends CrfError {
  static override readonly name = 'InvalidRecordsError';
  readonly code = 'invalid_records';

  override readonly errors: readonly RecordProblem[];
  /** The number of faulty cells, of which `errors` lists the first. */
  readonly total: number;

  /**
   * @param errors one entry per faulty cell
   * @param options `total`: the number of errors, if there are more than entries
   */
  constructor(errors: readonly RecordProblem[], options: CrfErrorOptions & { readonly total?: number } = {}) {
    const { total = errors.length } = options;
    const summary = total === 1 ? 'One value is not valid' : `${total} values are not valid, the first`;
    const [first] = errors;
    super(first === undefined ? `${summary}.` : `${summary}: ${sentenceOf([first], '')}`, options);
    this.errors = errors;
    this.total = total;
  }
}

/** The caller cancelled the call through its AbortSignal or has closed the client, or the source of a file that was being sent failed. */
export class CancelledError extends CrfError {
  static override readonly name = 'CancelledError';
  readonly code = 'cancelled';

  constructor(options: CrfErrorOptions = {}, message = 'The call was cancelled by its signal.') {
    super(message, options);
  }
}

/** A copy was left as it is, because what REDCap answers would damage it, or because somebody else is writing it. */
export class CopyStoppedError extends CrfError {
  static override readonly name = 'CopyStoppedError';
  readonly code = 'copy_stopped';
}
