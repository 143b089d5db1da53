import { ValidateError } from '@tsoa/runtime';
import type { NextFunction, Request, Response } from 'express';
import { appState } from '../http/app-state.js';
import { CrfError } from '../errors/crf-error.js';
import { InternalError } from '../errors/operator-errors.js';
import {
  InvalidRequestError,
  MalformedRequestError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
} from '../errors/caller-errors.js';
import { toFieldProblems } from '../http/field-problems.js';
import { requestState } from '../http/request-state.js';
import { sendProblem } from '../http/send-problem.js';

/** The one place where an error becomes an answer: `application/problem+json`, for every route and every status. */
export function problems(thrown: unknown, request: Request, response: Response, _next: NextFunction): void {
  const error = toCrfError(thrown);
  error.requestId = requestState(request).id;
  if (error.status >= 500) logFault(request, error, thrown);

  // The answer has begun: only a broken connection shows its reader that it is incomplete (STR-01).
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendProblem(response, error);
}

/** @returns the error as one of ours; whatever is not known is a fault of this service */
export function toCrfError(thrown: unknown): CrfError {
  if (thrown instanceof CrfError) return thrown;
  if (thrown instanceof ValidateError) return new InvalidRequestError(toFieldProblems(thrown));
  if (thrown instanceof URIError) return new MalformedRequestError('The URL has a broken percent-encoding.');
  return fromBodyParser(thrown) ?? new InternalError({ cause: thrown });
}

/** body-parser names its errors by `type`; one that it took from zlib, for a broken `Content-Encoding`, has a status alone. */
function fromBodyParser(thrown: unknown): CrfError | undefined {
  const { type, limit, statusCode } = (thrown ?? {}) as Partial<
    Record<'type' | 'limit' | 'statusCode', unknown>
  >;
  switch (type) {
    case 'entity.too.large':
      return new PayloadTooLargeError(Number(limit));
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new UnsupportedMediaTypeError(['application/json; charset=utf-8']);
    case 'request.aborted':
    case 'request.size.invalid':
      return new MalformedRequestError('The body is shorter than its Content-Length.');
    case 'parameters.too.many':
      return new MalformedRequestError('The form has too many fields.');
    default:
      return statusCode === 400 ? new MalformedRequestError('The body cannot be read.') : undefined;
  }
}

/** Writes a fault to the log, under the id that the caller has. */
export function logFault(request: Request, error: CrfError, thrown: unknown): void {
  const { logger } = appState(request.app);
  const cause = error instanceof InternalError ? thrown : error;
  logger.error(
    {
      requestId: error.requestId,
      traceId: requestState(request).trace?.traceId,
      code: error.code,
      err: cause,
    },
    'request failed',
  );
}
