import { ValidateError } from '@tsoa/runtime';
import { isProblem, ProblemError } from '../../domain/errors/problem-error.js';
import type { NextFunction, Request, Response } from 'express';
import { appState, isTakenOut } from '../app-state.js';
import { CrfError } from '../../domain/errors/crf-error.js';
import { OverloadedError } from '../../domain/errors/operator-errors.js';
import {
  CancelledError,
  InvalidRequestError,
  MalformedRequestError,
} from '../../domain/errors/caller-errors.js';
import { toFieldProblems } from '../field-problems.js';
import { requestState } from '../request-state.js';
import { routeOf } from '../route-of.js';
import { sendProblem } from '../send-problem.js';
import { callerLabel } from './caller-label.js';

/** Turns an error into the response, as `application/problem+json`, for every route and every status. */
export function problems(thrown: unknown, request: Request, response: Response, _next: NextFunction): void {
  const error = toCrfError(thrown, request);
  error.requestId = requestState(request).id;
  // Whoever leaves ends their own call: the line of the request says `aborted`.
  const hasLeft = error instanceof CancelledError && response.destroyed;
  if ((error.status >= 500 || response.headersSent) && !hasLeft) logFault(request, error, thrown);

  // The response has begun: only a broken connection can show that it is incomplete (STR-01).
  if (response.headersSent) {
    if (!hasLeft) requestState(request).brokenBy = error;
    response.destroy();
    return;
  }
  sendProblem(response, error);
}

/**
 * Converts any thrown value to a `CrfError`. An unknown one is an internal error. Calls of a project that is taken out
 * while they are under way are cancelled: their request ends as the next one would (PROJ-08).
 */
export function toCrfError(thrown: unknown, request: Request): CrfError {
  if (thrown instanceof CancelledError && isTakenOut(request))
    return new ProblemError('project_not_found', { cause: thrown });
  if (thrown instanceof CrfError) return thrown;
  if (thrown instanceof ValidateError) return new InvalidRequestError(toFieldProblems(thrown));
  if (thrown instanceof URIError) return new MalformedRequestError('The URL has a broken percent-encoding.');
  return fromBodyParser(thrown) ?? new ProblemError('internal_error', { cause: thrown });
}

/** body-parser names its errors by `type`. Errors from zlib, for a broken `Content-Encoding`, have only a status. */
function fromBodyParser(thrown: unknown): CrfError | undefined {
  const { type, limit, statusCode } = (thrown ?? {}) as Partial<
    Record<'type' | 'limit' | 'statusCode', unknown>
  >;
  switch (type) {
    case 'entity.too.large':
      return new ProblemError('payload_too_large', { limitBytes: Number(limit) });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new ProblemError('unsupported_media_type', { supported: ['application/json; charset=utf-8'] });
    case 'request.aborted':
    case 'request.size.invalid':
      return new MalformedRequestError('The body is shorter than its Content-Length.');
    case 'parameters.too.many':
      return new MalformedRequestError('The form has too many fields.');
    default:
      return statusCode === 400 ? new MalformedRequestError('The body cannot be read.') : undefined;
  }
}

/**
 * Logs an internal error with the request id that the caller receives, and with what the line of the request has. What was refused because of the load gets one
 * short line: there are many of them, and a stack would be more load.
 */
export function logFault(request: Request, error: CrfError, thrown: unknown): void {
  const { logger } = appState(request);
  const { entered, trace } = requestState(request);
  const line = {
    requestId: error.requestId,
    traceId: trace?.traceId,
    method: request.method,
    route: routeOf(request),
    project: entered?.name || undefined,
    caller: callerLabel(request),
    code: error.code,
  };
  if (error instanceof OverloadedError) logger.warn(line, 'request refused');
  else logger.error({ ...line, err: isProblem(error, 'internal_error') ? thrown : error }, 'request failed');
}
