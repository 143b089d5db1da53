import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

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
