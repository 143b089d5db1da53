import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** The contents of an error page. */
export interface ProblemOnPage {
  readonly title: string;
  readonly status: number;
  /** What is wrong and what to do next; undefined if the reader should not know. */
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string;
  /** Whether the page was only opened, so that opening it again repeats nothing else. */
  readonly isRepeatable: boolean;
}

/** Renders an error page with links to continue. */
export function problemPage(problem: ProblemOnPage, context: PageContext): string {
  const { title, status, detail, retryAfterSeconds, requestId } = problem;
  const canTryAgain = status >= 500 && problem.isRepeatable;
  return renderPage({
    title,
    context,
    children: (
      <>
        {detail !== undefined && <p>{detail}</p>}
        {retryAfterSeconds !== undefined && <p>Try again {waitInWords(retryAfterSeconds)}.</p>}
        {status >= 500 && retryAfterSeconds === undefined && (
          <p>
            This is not your fault. Try again in a moment. If it happens again, tell whoever runs this
            service.
          </p>
        )}
        <p class="actions">
          {canTryAgain && (
            // The address of this page, which may hold a secret, without writing it out.
            <a class="button" href="">
              Try again
            </a>
          )}
          <a class={canTryAgain ? undefined : 'button'} href="/">
            Start page
          </a>
          {context.hasSignIn &&
            (context.isSignedIn ? <PlaceOfAccount status={status} /> : <a href="/login">Sign in</a>)}
          <a href="/help">Help</a>
        </p>
        <p class="quiet small">
          Error {status}, request <code>{requestId}</code>
        </p>
      </>
    ),
  });
}

/** A link that works for everyone who is signed in: whoever is refused may be refused on the dashboard too. */
function PlaceOfAccount({ status }: { readonly status: number }) {
  return status === 403 ? <a href="/dashboard/sessions">Account</a> : <a href="/dashboard">Dashboard</a>;
}

/** Returns a waiting time in words, such as `in 40 seconds` or `in 15 minutes`, rounded up. */
export function waitInWords(seconds: number): string {
  if (seconds <= 1) return 'in a second';
  if (seconds < 120) return `in ${Math.ceil(seconds)} seconds`;
  if (seconds < 7200) return `in ${Math.ceil(seconds / 60)} minutes`;
  return `in ${Math.ceil(seconds / 3600)} hours`;
}
