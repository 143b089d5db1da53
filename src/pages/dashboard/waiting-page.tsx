import { Moment } from '../moment.js';
import { inEnglish, type PageContext } from '../page-context.js';
import { renderPage } from '../page.js';
import { LANGUAGES } from '../texts/texts.js';

/**
 * Renders what stands in for the dashboard until there are figures. A browser asks again by itself.
 *
 * @param failedAt when REDCap did not answer, ISO 8601; undefined while the records are being read
 */
export function waitingPage(context: PageContext, failedAt: string | undefined): string {
  return renderPage({
    title: 'Dashboard',
    context: inEnglish(context),
    children: (
      <>
        <p class={failedAt === undefined ? undefined : 'problem'} role="status">
          {failedAt === undefined ? (
            'The records are being read for the first time. The figures appear here in a moment.'
          ) : (
            <>
              REDCap did not answer at <Moment at={failedAt} t={LANGUAGES.en} />, and there are no earlier
              figures.
            </>
          )}
        </p>
        <p class="quiet">This page asks again by itself.</p>
        <p class="actions">
          <a class="button" href="">
            Try again
          </a>
          <a href="/help">Help</a>
        </p>
      </>
    ),
  });
}
