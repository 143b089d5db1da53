import type { Response } from 'express';
import { isProblem } from '../domain/errors/problem-error.js';
import type { CrfError } from '../domain/errors/crf-error.js';
import {
  ImportIncompleteError,
  ImportInterruptedError,
  NotSupportedUpstreamError,
  upstreamAnswerOf,
} from '../domain/errors/upstream-errors.js';
import { InsufficientScopeError, UnauthenticatedError } from '../domain/errors/access-errors.js';
import { PROBLEMS } from '../domain/errors/problem-table.js';
import { requestState } from './request-state.js';

/** Sends an error as a problem document, with the headers for its status. */
export function sendProblem(response: Response, error: CrfError): void {
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
export function toProblem(error: CrfError): object {
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
function progressOf(error: ImportInterruptedError): object {
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
