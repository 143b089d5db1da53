import { renderPage } from './page.js';
import type { NextFunction, Request, Response } from 'express';
import type { CrfError } from '../domain/errors/crf-error.js';
import { isProblem } from '../domain/errors/problem-error.js';
import type { ProblemCode } from '../domain/errors/problem-table.js';
import { SignInFailedError } from '../domain/errors/access-errors.js';
import { pageContextOf, type PageContext } from './page-context.js';
import { linkNotValidPage } from './sign-in-pages.js';
import { sendPage } from './send-page.js';
import { acceptsPage } from '../http/accepts-page.js';
import { logFault, toCrfError } from '../http/middleware/problems.js';
import { requestState } from '../http/request-state.js';
import { setProblemHeaders } from '../http/send-problem.js';

/** The contents of an error page. */
export interface ProblemOnPage {
  readonly title: string;
  readonly status: number;
  /** What is wrong and what to do next; undefined if the reader should not know. */
  readonly detail: string | undefined;
  /** Whether the detail is the message that programs get, which is in English. */
  readonly isMessage: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string;
  /** Whether the page was only opened, so that opening it again repeats nothing else. */
  readonly isRepeatable: boolean;
}

/** Renders an error page with links to continue. */
export function problemPage(problem: ProblemOnPage, context: PageContext): string {
  const { title, status, detail, retryAfterSeconds, requestId } = problem;
  const { t } = context;
  const canTryAgain = status >= 500 && problem.isRepeatable;
  return renderPage({
    title,
    context,
    children: (
      <>
        {detail !== undefined && <p lang={problem.isMessage ? 'en' : undefined}>{detail}</p>}
        {retryAfterSeconds !== undefined && <p>{t.problem.tryAgainIn(retryAfterSeconds)}</p>}
        {status >= 500 && retryAfterSeconds === undefined && <p>{t.problem.notYourFault}</p>}
        <p class="actions">
          {canTryAgain && (
            // The address of this page, which may hold a secret, without writing it out.
            <a class="button" href="">
              {t.problem.tryAgain}
            </a>
          )}
          <a class={canTryAgain ? undefined : 'button'} href="/">
            {t.problem.startPage}
          </a>
          {context.hasSignIn &&
            (context.isSignedIn ? (
              <PlaceOfAccount status={status} context={context} />
            ) : (
              <a href="/login">{t.frame.signIn}</a>
            ))}
          <a href="/help">{t.frame.help}</a>
        </p>
        <p class="quiet small">{t.problem.errorAndRequest(status, requestId)}</p>
      </>
    ),
  });
}

/** A link that works for everyone who is signed in: whoever is refused may be refused on the dashboard too. */
function PlaceOfAccount({
  status,
  context: { t },
}: {
  readonly status: number;
  readonly context: PageContext;
}) {
  return status === 403 ? (
    <a href="/dashboard/sessions">{t.frame.account}</a>
  ) : (
    <a href="/dashboard">{t.frame.dashboard}</a>
  );
}

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

  const error = toCrfError(thrown, request);
  error.requestId = requestState(request).id;
  if (error.status >= 500) logFault(request, error, thrown);

  setProblemHeaders(response, error);
  sendPage(response, pageOf(error, request), { status: error.status });
}

/** What a page says of an error, for visitors who know nothing of methods and routes. */
interface ProblemWords {
  readonly title: string;
  readonly detail: string;
}

function pageOf(error: CrfError, request: Request): string {
  const asked = pageContextOf(request);
  // Behind the path there may be a secret that was refused, or what made the request invalid.
  const context = { ...asked, here: asked.here === undefined ? undefined : asked.path };
  if (error instanceof SignInFailedError) return linkNotValidPage(context);
  const { problem: texts } = context.t;
  const words: Partial<Record<ProblemCode, ProblemWords>> = request.path.startsWith('/api/')
    ? {}
    : texts.words;
  const needsSignIn = isProblem(error, 'route_not_found') && error.details.needsSignIn;
  const isDashboard = !context.hasDashboard && /^\/dashboard(?:\/|$)/.test(context.path);
  const own = !needsSignIn ? words[error.code] : isDashboard ? texts.noDashboard : texts.noSignIn;
  const problem = {
    title: own?.title ?? texts.title(error.code),
    // The page has its own words for when to try again.
    detail:
      own?.detail ??
      (error.status < 500 && error.retryAfterSeconds === undefined ? error.message : undefined),
    isMessage: own === undefined,
    status: error.status,
    retryAfterSeconds: error.retryAfterSeconds,
    requestId: requestState(request).id,
    isRepeatable: request.method === 'GET',
  };
  return problemPage(problem, context);
}
