import type { Response } from 'express';
import { isProblem } from '../domain/errors/problem-error.js';
import type { CrfError } from '../domain/errors/crf-error.js';
import {
  ImportIncompleteError,
  ImportInterruptedError,
  NotSupportedUpstreamError,
  upstreamAnswerOf,
  type RowRange,
} from '../domain/errors/upstream-errors.js';
import type { RecordProblem } from '../domain/errors/field-problem.js';
import { InsufficientScopeError, UnauthenticatedError } from '../domain/errors/access-errors.js';
import { PROBLEMS } from '../domain/errors/problem-table.js';
import { requestState } from './request-state.js';

/** An error of this API: a problem document (RFC 9457) with a stable code. */
export interface Problem {
  /**
   * The kind of problem: its code as a URN.
   * @example "urn:crf-service:problem:invalid_request"
   */
  readonly type: string;
  /**
   * The kind of problem in words. The same for every occurrence.
   * @example "The request is not valid"
   */
  readonly title: string;
  /**
   * The HTTP status of the response.
   * @isInt
   * @example 400
   */
  readonly status: number;
  /**
   * Describes this occurrence in words: the field, the rule, what to do next. Omitted for status 500 and above.
   * @example "agee is not a field of this project; did you mean age?"
   */
  readonly detail?: string;
  /**
   * The request id, which also appears in the log. Quote it when you ask for help.
   * @example "0b9cdd0c-2a2f-4a0d-9d53-5a3f27b7d1b1"
   */
  readonly instance: string;
  /**
   * The stable name of the problem, for programs.
   * @example "invalid_request"
   */
  readonly code: string;
  /** The individual errors, when there are several. */
  readonly errors?: readonly RecordProblem[];
  /**
   * The number of records stored before the failure. Imports only.
   * @isInt
   */
  readonly stored?: number;
  /**
   * The position in the input, counted from 0, of the first record that is not known to be stored. Imports only.
   * @isInt
   */
  readonly resumeFrom?: number;
  /** Whether some rows may have been stored without confirmation; `doubtful` lists them. Imports only. */
  readonly isUncertain?: boolean;
  /** Rows that may have been stored, because REDCap's response was lost or did not confirm them. Imports only. */
  readonly doubtful?: readonly RowRange[];
  /** Rows after `resumeFrom` that are stored, because batches are sent concurrently. Imports only. */
  readonly storedLater?: readonly RowRange[];
  /**
   * With `import_incomplete`: the records of the calls that REDCap did not confirm.
   * @isInt
   */
  readonly sent?: number;
  /**
   * With `import_incomplete`: how many records REDCap counted in these calls.
   * @isInt
   */
  readonly counted?: number;
}

/** Sends an error with the headers for its status: as a problem document, or to a client of REDCap's API in REDCap's form. */
export function sendProblem(response: Response, error: CrfError): void {
  const { door } = requestState(response.req);
  if (door !== undefined) return door.refuse(response, error);
  setProblemHeaders(response, error);
  response.status(error.status).setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  response.end(JSON.stringify(toProblem(error)));
}

/** Sets the headers for the status of an error. */
export function setProblemHeaders(response: Response, error: CrfError): void {
  const state = requestState(response.req);
  state.problem = error.code;
  state.upstream = upstreamAnswerOf(error);
  if (isProblem(error, 'method_not_allowed')) response.setHeader('Allow', error.details.allowed.join(', '));
  const challenge = challengeOf(error);
  if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  if (error.retryAfterSeconds !== undefined)
    response.setHeader('Retry-After', String(error.retryAfterSeconds));
}

/** Says how to authenticate, with the reason of a refusal (RFC 6750, 3.1). */
function challengeOf(error: CrfError): string | undefined {
  const bearer = 'Bearer realm="crf-service"';
  if (error instanceof InsufficientScopeError)
    return `${bearer}, error="insufficient_scope", scope="${error.scopes.join(' ')}"`;
  if (error.status !== 401) return undefined;
  const isKey = error instanceof UnauthenticatedError && error.presented === 'api-key';
  return isKey ? `${bearer}, error="invalid_token"` : bearer;
}

/**
 * Returns the problem document of an error. From status 500 on it has only the title (ERR-02), unless the caller needs
 * to know REDCap's version.
 */
export function toProblem(error: CrfError): Problem {
  const { title } = PROBLEMS[error.code];
  return {
    type: `urn:crf-service:problem:${error.code}`,
    title,
    status: error.status,
    ...((error.status < 500 || error instanceof NotSupportedUpstreamError) && { detail: error.message }),
    instance: error.requestId ?? 'unknown',
    code: error.code,
    ...(isTellable(error) && error.errors.length > 0 && { errors: error.errors }),
    ...(error instanceof ImportInterruptedError && progressOf(error)),
  };
}

/** Returns what a program needs to resume an import, and what to check before. */
function progressOf(error: ImportInterruptedError): Partial<Problem> {
  const { stored, resumeFrom, isUncertain, doubtful, storedLater } = error;
  return {
    stored,
    resumeFrom,
    isUncertain,
    ...(doubtful.length > 0 && { doubtful }),
    ...(storedLater.length > 0 && { storedLater }),
    ...(error instanceof ImportIncompleteError && { sent: error.sent, counted: error.counted }),
  };
}

/**
 * Whether the field errors may be shown. An interrupted import has an upstream status, but its field errors are about
 * the caller's own records.
 */
function isTellable(error: CrfError): boolean {
  return error.status < 500 || error instanceof ImportInterruptedError;
}
