import type { NextFunction, Request, Response } from 'express';
import { appState } from '../app/app-state.js';
import { PROBLEMS } from '../errors/problem-table.js';
import { SignInFailedError } from '../errors/sign-in-failed-error.js';
import { linkNotValidPage, problemPage } from '../pages/sign-in-pages.js';
import { sendPage } from '../pages/send-page.js';
import { acceptsPage } from './accepts-page.js';
import { logFault, toCrfError } from './problems.js';
import { idOf } from './request-id.js';
import { setProblemHeaders } from './send-problem.js';

/** The paths that people open; everything else is for programs. */
const PAGES = /^\/(login|dashboard|signed-out)(\/|$)/;

/** What goes wrong on a page is a page for a browser, and a problem document for a program (LOGIN-08). */
export function pageProblems(
  thrown: unknown,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  const wantsPage = PAGES.test(request.path) && acceptsPage(request);
  if (!wantsPage || response.headersSent) return next(thrown);

  const error = toCrfError(thrown);
  error.requestId = idOf(request);
  if (error.status >= 500) logFault(request, error, thrown);

  const { isSandbox } = appState(request.app);
  setProblemHeaders(response, error);
  if (error instanceof SignInFailedError)
    return sendPage(response, linkNotValidPage({ isSandbox }), error.status);
  const detail = error.status < 500 ? error.message : undefined;
  sendPage(
    response,
    problemPage(PROBLEMS[error.code].title, detail, error.requestId, { isSandbox }),
    error.status,
  );
}
