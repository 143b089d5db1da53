import { Moment } from '../moment.js';
import type { PageContext } from '../page-context.js';
import { renderPage } from '../page.js';

/**
 * Renders what stands in for the dashboard until there are figures. A browser asks again by itself.
 *
 * @param failedAt when REDCap did not answer, ISO 8601; undefined while the records are being read
 */
export function waitingPage(context: PageContext, failedAt: string | undefined): string {
  const { t } = context;
  return renderPage({
    title: t.dashboard.title,
    context,
    children: (
      <>
        <p class={failedAt === undefined ? undefined : 'problem'} role="status">
          {failedAt === undefined
            ? t.dashboard.waiting
            : t.dashboard.neverAnswered(<Moment at={failedAt} t={t} />)}
        </p>
        <p class="quiet">{t.dashboard.asksAgain}</p>
        <p class="actions">
          <a class="button" href="">
            {t.problem.tryAgain}
          </a>
          <a href="/help">{t.frame.help}</a>
        </p>
      </>
    ),
  });
}
