import type { NextFunction, Request, Response } from 'express';
import type { CrfError } from '../errors/crf-error.js';
import { PROBLEMS } from '../errors/problem-table.js';
import { SignInFailedError } from '../errors/sign-in-errors.js';
import { problemPage } from '../pages/problem-page.js';
import { pageContextOf } from '../pages/page-context.js';
import { linkNotValidPage } from '../pages/sign-in-pages.js';
import { sendPage } from '../pages/send-page.js';
import { acceptsPage } from '../http/accepts-page.js';
import { logFault, toCrfError } from './problems.js';
import { requestState } from '../http/request-state.js';
import { setProblemHeaders } from '../http/send-problem.js';

/**
 * Turns errors into a page for browsers, and into a problem document for programs, on every path (LOGIN-08). A client
 * that accepts anything counts as a program.
 */
export function pageProblems(
  thrown: unknown,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (response.headersSent) return next(thrown);
  response.vary('Accept');
  if (!acceptsPage(request)) return next(thrown);

  const error = toCrfError(thrown);
  error.requestId = requestState(request).id;
  if (error.status >= 500) logFault(request, error, thrown);

  setProblemHeaders(response, error);
  sendPage(response, pageOf(error, request), { status: error.status });
}

function pageOf(error: CrfError, request: Request): string {
  const context = pageContextOf(request);
  if (error instanceof SignInFailedError) return linkNotValidPage(context);
  const problem = {
    title: PROBLEMS[error.code].title,
    status: error.status,
    // The page has its own words for when to try again.
    detail: error.status < 500 && error.retryAfterSeconds === undefined ? error.message : undefined,
    retryAfterSeconds: error.retryAfterSeconds,
    requestId: requestState(request).id,
  };
  return problemPage(problem, context);
}
