import { CrfError, type CrfErrorOptions } from './crf-error.js';
import type { Sentence } from './sentences.js';
import { sentenceOf, type FieldProblem, type RecordProblem } from './field-problem.js';

/** An identifier is not valid. Correct the value that the message names. */
export class InvalidIdentifierError extends CrfError {
  static override readonly name = 'InvalidIdentifierError';
  readonly code = 'invalid_identifier';

  /**
   * @param subject what was parsed, as the start of a sentence: `A record id`
   * @param rule the rest of the sentence: `has 20 to 100 characters`
   */
  constructor(subject: string, rule: string) {
    super(`${subject} ${rule}.`);
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

/**
 * The process that ran an import ended before it could report what was stored. Running it again might store rows twice.
 */
export class ImportOutcomeUnknownError extends CrfError {
  static override readonly name = 'ImportOutcomeUnknownError';
  readonly code = 'import_outcome_unknown';

  constructor() {
    super(
      'The import with this Idempotency-Key was interrupted and may have stored some of its rows. Check in REDCap which rows are stored, then send the others with a new key.',
    );
  }
}

/** No user of the project has the email address. */
export class UserNotFoundError extends CrfError {
  static override readonly name = 'UserNotFoundError';
  readonly code = 'user_not_found';

  constructor() {
    super('No user of this project has this email address.');
  }
}

/** An email address belongs to several user ids. Guessing could give one person the data of another. */
export class AmbiguousUserError extends CrfError {
  static override readonly name = 'AmbiguousUserError';
  readonly code = 'ambiguous_user';

  constructor() {
    super('Several users of this project have this email address. Make it unique in REDCap.');
  }
}

/** The requested place has no file. */
export class FileNotFoundError extends CrfError {
  static override readonly name = 'FileNotFoundError';
  readonly code = 'file_not_found';

  constructor() {
    super('No file is stored there. Check the record, the field, the event and the repeat instance.');
  }
}

/** The project has no report with this number, or the token's user may not see it. */
export class ReportNotFoundError extends CrfError {
  static override readonly name = 'ReportNotFoundError';
  readonly code = 'report_not_found';

  constructor() {
    super(
      "No report of this project has this number, or the token's user may not see it. The numbers are in REDCap's list of reports.",
    );
  }
}

/** No policy changes the values of the exports of this caller, so that they have no manifest. */
export class NotDeidentifiedError extends CrfError {
  static override readonly name = 'NotDeidentifiedError';
  readonly code = 'not_deidentified';

  constructor() {
    super(
      'Your exports have the values as they are stored, so that there is nothing a manifest could say. It describes exports under a policy that de-identifies.',
    );
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

/** The project has no record with this id, or the token cannot see it. */
export class RecordNotFoundError extends CrfError {
  static override readonly name = 'RecordNotFoundError';
  readonly code = 'record_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super('No record of this project has this id. Check the id; nothing was changed.', options);
  }
}

/** A copy was left as it is, because what REDCap answers would damage it, or because somebody else is writing it. */
export class CopyStoppedError extends CrfError {
  static override readonly name = 'CopyStoppedError';
  readonly code = 'copy_stopped';
}
