import type { NextFunction, Request, Response } from 'express';
import type { CrfError } from '../errors/crf-error.js';
import { PROBLEMS, type ProblemCode } from '../errors/problem-table.js';
import { SignInFailedError } from '../errors/sign-in-errors.js';
import { problemPage } from '../pages/problem-page.js';
import { pageContextOf, type PageContext } from '../pages/page-context.js';
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

/** The words for errors on pages, for visitors who know nothing of methods and routes. */
const WORDS_OF_PAGES: Partial<Record<ProblemCode, { readonly title: string; readonly detail: string }>> = {
  route_not_found: {
    title: 'Page not found',
    detail: 'There is no page at this address. It may be mistyped, or not meant for a browser.',
  },
  insufficient_scope: {
    title: 'No access',
    detail: 'Your account may not see or do this. Ask whoever runs the study for access.',
  },
  method_not_allowed: {
    title: 'This page cannot be opened',
    detail: 'Only a form leads here. Go back to the page of the form, and send it again.',
  },
};

const DASHBOARD_CLOSED = {
  title: 'No dashboard here',
  detail:
    'The dashboard is for people who sign in, and this service has no sign-in. Whoever runs it can set one up: APPWRITE_ENDPOINT.',
};

function isDashboardClosed({ path, hasDashboard }: PageContext): boolean {
  return !hasDashboard && (path === '/dashboard' || path.startsWith('/dashboard/'));
}

function pageOf(error: CrfError, request: Request): string {
  const context = pageContextOf(request);
  if (error instanceof SignInFailedError) return linkNotValidPage(context);
  const isOfApi = request.path.startsWith('/api/');
  const problem = {
    title: PROBLEMS[error.code].title,
    // The page has its own words for when to try again.
    detail: error.status < 500 && error.retryAfterSeconds === undefined ? error.message : undefined,
    ...(!isOfApi && WORDS_OF_PAGES[error.code]),
    ...(isDashboardClosed(context) && error.code === 'route_not_found' && DASHBOARD_CLOSED),
    status: error.status,
    retryAfterSeconds: error.retryAfterSeconds,
    requestId: requestState(request).id,
    isRepeatable: request.method === 'GET',
  };
  return problemPage(problem, context);
}
