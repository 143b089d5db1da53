import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** The page with answers to common questions: no email, a link that does not work, an empty dashboard, an error. */
export function helpPage(context: PageContext): string {
  const { hasSignIn, hasReference, isSandbox, helpUrl } = context;
  return renderPage({
    title: 'Help',
    context,
    children: (
      <>
        {hasSignIn && (
          <>
            <h2>No mail arrived</h2>
            <p>
              Check your spam folder. Only addresses in the study’s own domains receive a link, and the page
              says the same whether or not yours is known. After a few minutes, <a href="/login">ask again</a>
              .
              {isSandbox && (
                <>
                  {' '}
                  The sandbox sends no mail: you find the link in the <a href="/sandbox/mailbox">mailbox</a>.
                </>
              )}
            </p>
            <h2>The link does not work</h2>
            <p>
              A link works once, for ten minutes, and a newer one replaces it. Open it on the device on which
              you asked for it. Where the page of the link offers a code, you can also type that into the page
              that is waiting.
            </p>
            <h2>The dashboard shows little</h2>
            <p>
              Signing in shows the progress of the study in numbers, not its records. Small numbers are left
              out, so that they cannot identify a participant. Whoever runs this service decides who may see
              more.
            </p>
          </>
        )}
        <h2>Something went wrong</h2>
        <p>
          Every error has a request id. Quote it when you ask for help: it identifies one line in the log,
          which contains no data of the study.
        </p>
        <h2>For programs</h2>
        <p>
          The API is described in the <a href="/openapi.json">OpenAPI document</a>
          {hasReference && (
            <>
              {' '}
              and can be tried in the <a href="/docs/">reference</a>
            </>
          )}
          . Every error is a problem document with a stable code.
        </p>
        {helpUrl !== undefined && (
          <>
            <h2>Contact</h2>
            <p>
              <a href={helpUrl}>{helpUrl.replace(/^mailto:/, '')}</a>
            </p>
          </>
        )}
      </>
    ),
  });
}
