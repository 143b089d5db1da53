import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** REDCap refused the token itself: it is unknown, or its project is gone. The operator has to act. */
export class UpstreamRefusedError extends CrfError {
  readonly code = 'upstream_refused';

  constructor(
    message = 'REDCap refused the token, or its user lacks the right. Check the token (CAPTURE_API_TOKEN, or token of the client) and the user rights.',
    options: CrfErrorOptions = {},
  ) {
    super(message, options);
  }
}

/**
 * REDCap takes the token, and refuses this action to its user. The call may be right and the token good: only somebody
 * with user rights in the REDCap project can help.
 */
export class UpstreamForbiddenError extends CrfError {
  readonly code = 'upstream_forbidden';

  /** @param right the right as REDCap names it in its own pages */
  constructor(
    readonly right: string,
    options: CrfErrorOptions = {},
  ) {
    super(
      `The user of the REDCap token lacks the right "${right}". Ask an administrator of the REDCap project for it.`,
      options,
    );
  }
}

/** This version of REDCap does not have the operation: it is too old for it. Another call of the same kind will not help. */
export class NotSupportedUpstreamError extends CrfError {
  readonly code = 'not_supported_upstream';

  /**
   * @param operation content and action, as in `record/randomize`
   * @param version REDCap's version, where it could be asked for
   */
  constructor(
    readonly operation: string,
    readonly version?: string,
    options: CrfErrorOptions = {},
  ) {
    super(
      `REDCap ${version ?? 'in this version'} does not have ${operation}. A newer version does.`,
      options,
    );
  }
}

/** REDCap answered 400: a parameter of the call is not valid for this project. Correct the call; do not repeat it. */
export class UpstreamRejectedError extends CrfError {
  readonly code = 'upstream_rejected';

  constructor(message: string, options: CrfErrorOptions = {}) {
    super(message, options);
  }
}

export interface UpstreamInvalidErrorOptions extends CrfErrorOptions {
  /** REDCap ran out of memory: the same in smaller parts may work. */
  readonly isOutOfMemory?: boolean;
  /** Whether the answer was empty: a REDCap under load does that, and answers the next time. */
  readonly isBlank?: boolean;
}

/** REDCap answered something that is not the answer asked for: HTML, nothing, an error text in a 200, a truncated body. */
export class UpstreamInvalidError extends CrfError {
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

/** REDCap did not answer within the time limit of a stage. A read is worth retrying; a write may have happened. */
export class UpstreamTimeoutError extends CrfError {
  readonly code = 'upstream_timeout';
  override readonly isRetryable = true;

  /** @param phase what took too long; `queue`: waiting for a turn took the total time, and nothing was sent */
  constructor(
    readonly phase: 'connect' | 'first byte' | 'idle' | 'total' | 'queue',
    options: CrfErrorOptions = {},
  ) {
    super(`REDCap took too long (${phase}). Ask for less at once, or try again later.`, options);
  }
}

/** REDCap could not be reached, broke the connection, or answered 5xx. A read is worth retrying; a write may have happened. */
export class UpstreamUnavailableError extends CrfError {
  readonly code = 'upstream_unavailable';
  override readonly isRetryable = true;

  constructor(
    readonly phase: 'connect' | 'first byte' | 'body' | 'server error' | 'circuit open',
    options: CrfErrorOptions = {},
  ) {
    super(
      `REDCap did not answer (${phase}). Check the URL of the API (CAPTURE_API_URL, or url of the client), then try again.`,
      options,
    );
  }
}

/** A batched export did not bring every record that was listed. What was received is not the whole. */
export class IncompleteExportError extends CrfError {
  readonly code = 'incomplete_export';
  override readonly isRetryable = true;

  /** @param missing the ids that were listed and did not arrive, at most the first 100 */
  constructor(
    readonly missing: readonly string[],
    options: CrfErrorOptions = {},
  ) {
    super(
      `REDCap left out ${missing.length} of the records it had listed. Try again with a smaller batch size.`,
      options,
    );
  }
}

/** Rows of an input that follow one another, counted from 0. */
export interface RowRange {
  readonly from: number;
  /** The row behind the last. */
  readonly to: number;
}

export interface ImportInterruptedOptions extends CrfErrorOptions {
  /** Rows that may have been stored all the same: the answer of their call was lost. None by default. */
  readonly doubtful?: readonly RowRange[];
  /** Rows behind `resumeFrom` that are stored: several calls are under way at once. None by default. */
  readonly storedLater?: readonly RowRange[];
}

/**
 * An import in several calls stopped part of the way: `stored` records are in REDCap, the rest is not known to be.
 * Rows in `storedLater` are among the stored; sent again from `resumeFrom` on, they are stored as they are.
 */
export class ImportInterruptedError extends CrfError {
  readonly code = 'import_interrupted';
  /** Rows that may have been stored, at or behind `resumeFrom`, in order. */
  readonly doubtful: readonly RowRange[];
  /** Rows behind `resumeFrom` that are stored, in order. */
  readonly storedLater: readonly RowRange[];

  /**
   * @param stored records that REDCap confirmed
   * @param resumeFrom position in the input (from 0) of the first row that is not confirmed
   */
  constructor(
    readonly stored: number,
    readonly resumeFrom: number,
    options: ImportInterruptedOptions = {},
  ) {
    super(
      `The import stopped after ${stored} stored records. Resume from record number ${resumeFrom + 1} of the input.`,
      options,
    );
    this.doubtful = options.doubtful ?? [];
    this.storedLater = options.storedLater ?? [];
  }

  /** Whether rows may have been stored although no answer said so. */
  get isUncertain(): boolean {
    return this.doubtful.length > 0;
  }
}
