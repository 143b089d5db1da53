import { CrfError, type CrfErrorOptions } from './crf-error.js';
import { describeNetworkFailure } from './network-failure.js';

/** What was answered in the place of data, for operators: whether by REDCap or by a server in front of it. */
export interface UpstreamAnswer {
  readonly status: number;
  /** The first words, of a fixed list that holds no value of a project. */
  readonly words?: string | undefined;
}

export interface UpstreamErrorOptions extends CrfErrorOptions {
  readonly answer?: UpstreamAnswer | undefined;
}

/** An error about what REDCap, or a server in front of it, has answered. */
abstract class AnsweredError extends CrfError {
  /** Undefined if there was no answer, or if it was read to its end before it was found wrong. */
  readonly answer: UpstreamAnswer | undefined;

  constructor(message: string, { answer, ...options }: UpstreamErrorOptions = {}) {
    super(message, options);
    this.answer = answer;
  }
}

/** Returns what was answered, by the error or by one that led to it. */
export function upstreamAnswerOf(error: unknown): UpstreamAnswer | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1)
    if (cause instanceof AnsweredError && cause.answer !== undefined) return cause.answer;
  return undefined;
}

/** Returns an answer in words: `status 502 ("Bad Gateway")`. */
export function wordsOfAnswer({ status, words }: UpstreamAnswer): string {
  return `status ${status}${words === undefined ? '' : ` ("${words}")`}`;
}

/** REDCap refused the token: it is unknown, or its project was deleted. The operator must act. */
export class UpstreamRefusedError extends AnsweredError {
  static override readonly name = 'UpstreamRefusedError';
  readonly code = 'upstream_refused';

  constructor(message?: string, options: UpstreamErrorOptions = {}) {
    const { answer } = options;
    super(
      message ??
        `REDCap refused the token, or its user lacks the right${answer === undefined ? '' : `: ${wordsOfAnswer(answer)}`}. Check the token (CAPTURE_API_TOKEN, or token of the client) and the user rights.`,
      options,
    );
  }
}

/**
 * REDCap accepts the token but does not allow this action to its user. The call and the token may be correct: only
 * somebody with user rights in the REDCap project can help.
 */
export class UpstreamForbiddenError extends CrfError {
  static override readonly name = 'UpstreamForbiddenError';
  readonly code = 'upstream_forbidden';

  /**
   * @param right the name of the right on REDCap's own pages
   * @param isOfService whether a service like this one, in REDCap's place, refused its key: for lack of the scopes in
   * `right`, or because of its `policy`
   */
  constructor(
    readonly right: string,
    isOfService = false,
  ) {
    const lacks = right === 'policy' ? 'may not do this by its policy' : `lacks the scope ${right}`;
    super(
      isOfService
        ? `The API key ${lacks}. Ask whoever runs the service for it.`
        : `The user of the REDCap token lacks the right "${right}". Ask an administrator of the REDCap project for it.`,
    );
  }
}

/** This version of REDCap is too old for the operation. Repeating it does not help. */
export class NotSupportedUpstreamError extends CrfError {
  static override readonly name = 'NotSupportedUpstreamError';
  readonly code = 'not_supported_upstream';

  /**
   * @param operation content and action, such as `record/randomize`
   * @param version REDCap's version, if it could be determined
   */
  constructor(
    readonly operation: string,
    readonly version?: string,
    options: CrfErrorOptions = {},
  ) {
    super(
      `${version === undefined ? 'This version of REDCap' : `REDCap ${version}`} does not support ${operation}. A newer version does.`,
      options,
    );
  }
}

/** REDCap responded with 400: a parameter is not valid for this project. Correct the call before repeating it. */
export class UpstreamRejectedError extends CrfError {
  static override readonly name = 'UpstreamRejectedError';
  readonly code = 'upstream_rejected';
}

export interface UpstreamInvalidErrorOptions extends UpstreamErrorOptions {
  /** Whether REDCap ran out of memory. Smaller requests may succeed. */
  readonly isOutOfMemory?: boolean;
  /** Whether the response was empty. REDCap may do this under load and respond correctly the next time. */
  readonly isBlank?: boolean;
}

/** REDCap returned an unexpected response: HTML, an empty body, an error text with status 200, or a truncated body. */
export class UpstreamInvalidError extends AnsweredError {
  static override readonly name = 'UpstreamInvalidError';
  readonly code = 'upstream_invalid';
  readonly isOutOfMemory: boolean;
  readonly isBlank: boolean;

  constructor(
    message: string,
    { isOutOfMemory = false, isBlank = false, ...options }: UpstreamInvalidErrorOptions = {},
  ) {
    super(message, options);
    this.isOutOfMemory = isOutOfMemory;
    this.isBlank = isBlank;
  }
}

/** REDCap did not respond within a time limit. Reads can be retried; a write may have happened. */
export class UpstreamTimeoutError extends CrfError {
  static override readonly name = 'UpstreamTimeoutError';
  readonly code = 'upstream_timeout';

  /**
   * @param phase the phase that took too long; in `queue`, the call waited for its turn all the time and was never sent
   */
  constructor(
    readonly phase: 'connect' | 'first byte' | 'idle' | 'total' | 'queue',
    options: CrfErrorOptions = {},
  ) {
    super(`REDCap took too long (${phase}). Request less at a time, or try again later.`, options);
  }
}

/**
 * REDCap was unreachable, broke the connection, or responded with 5xx. Reads can be retried; a write may have happened.
 */
export class UpstreamUnavailableError extends AnsweredError {
  static override readonly name = 'UpstreamUnavailableError';
  readonly code = 'upstream_unavailable';

  constructor(
    readonly phase: 'connect' | 'first byte' | 'body' | 'server error' | 'circuit open',
    options: UpstreamErrorOptions = {},
  ) {
    const failure = networkCodeOf(options.cause);
    const { answer } = options;
    super(
      `${
        answer === undefined
          ? `REDCap did not answer (${phase})${failure === undefined ? '' : `: ${describeNetworkFailure(failure)}`}`
          : `REDCap, or a server in front of it, answered with ${wordsOfAnswer(answer)}`
      }. ${
        phase === 'connect'
          ? 'Check the URL of the API (CAPTURE_API_URL, or url of the client), then try again.'
          : 'Try again later.'
      }`,
      options,
    );
  }
}

function networkCodeOf(cause: unknown): string | undefined {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) && code !== 'UNKNOWN'
    ? code
    : undefined;
}

/** A batched export did not return every listed record, so the received data is incomplete. */
export class IncompleteExportError extends CrfError {
  static override readonly name = 'IncompleteExportError';
  readonly code = 'incomplete_export';

  /** @param missing the ids of listed records that are missing, at most the first 100 */
  constructor(readonly missing: readonly string[]) {
    super(
      `REDCap left out ${missing.length} of the records it had listed. Try again with a smaller batch size.`,
    );
  }
}

/** A range of consecutive rows of an import. */
export interface RowRange {
  /**
   * The first row, counted from 0.
   * @isInt
   * @example 1000
   */
  readonly from: number;
  /**
   * The row after the last one.
   * @isInt
   * @example 2000
   */
  readonly to: number;
}

/** Which rows of an interrupted import are doubtful, and which are stored beyond the point to resume from. */
export interface ImportInterruptedOptions extends CrfErrorOptions {
  /** Rows that may have been stored, because the response of their call was lost. None by default. */
  readonly doubtful?: readonly RowRange[];
  /** Rows after `resumeFrom` that are stored, because calls are made concurrently. None by default. */
  readonly storedLater?: readonly RowRange[];
}

/**
 * An import in several calls stopped midway: `stored` records are in REDCap, the others are not known to be. The rows
 * in `storedLater` are counted in `stored`; sending them again from `resumeFrom` on stores the same values.
 */
export class ImportInterruptedError extends CrfError {
  static override readonly name: string = 'ImportInterruptedError';
  readonly code: 'import_interrupted' | 'import_incomplete' = 'import_interrupted';
  /** Rows at or after `resumeFrom` that may have been stored, in order. */
  readonly doubtful: readonly RowRange[];
  /** Rows after `resumeFrom` that are stored, in order. */
  readonly storedLater: readonly RowRange[];

  /**
   * @param stored the number of records that REDCap confirmed
   * @param resumeFrom the position in the input, counted from 0, of the first row that is not confirmed
   */
  constructor(
    readonly stored: number,
    readonly resumeFrom: number,
    options: ImportInterruptedOptions = {},
    message = `The import stopped after ${stored} stored records. Resume from record number ${resumeFrom + 1} of the input.`,
  ) {
    super(message, options);
    this.doubtful = options.doubtful ?? [];
    this.storedLater = options.storedLater ?? [];
  }

  /** Whether rows may have been stored without confirmation. */
  get isUncertain(): boolean {
    return this.doubtful.length > 0;
  }
}

/** What REDCap answered to the calls of an import whose count was not the number of the records sent. */
export interface CountedRecords {
  /** The records of these calls. */
  readonly sent: number;
  /** How many records REDCap says it stored. It may be more than were sent. */
  readonly counted: number;
}

/**
 * REDCap accepted an import, but counted other records than were sent, so some rows in `doubtful` may not be stored. It
 * counts each record of a call once, whether the call changes it or not.
 *
 * @see docs/protocol/redcap.md 5.6 (client)
 */
export class ImportIncompleteError extends ImportInterruptedError {
  static override readonly name = 'ImportIncompleteError';
  override readonly code = 'import_incomplete';
  readonly sent: number;
  readonly counted: number;

  /**
   * @param stored the number of records in other calls, which REDCap confirmed
   * @param resumeFrom the position in the input, counted from 0, of the first row that is not confirmed
   */
  constructor(
    stored: number,
    resumeFrom: number,
    { sent, counted }: CountedRecords,
    options: ImportInterruptedOptions = {},
  ) {
    super(
      stored,
      resumeFrom,
      options,
      `REDCap counted ${counted} of ${sent} records that were sent. Read these records back, or send them again from record number ${resumeFrom + 1} of the input. ${stored} others are stored.`,
    );
    this.sent = sent;
    this.counted = counted;
  }
}
