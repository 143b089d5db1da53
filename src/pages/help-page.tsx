import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** The page with answers to common questions: no email, a link that does not work, an empty dashboard, an error. */
export function helpPage(context: PageContext): string {
  const { hasSignIn, hasReference, isSandbox, helpUrl, t } = context;
  const { help } = t;
  return renderPage({
    title: help.title,
    context,
    children: (
      <>
        {hasSignIn && (
          <>
            <h2>{help.noMail}</h2>
            <p>{help.noMailText}</p>
            {isSandbox && <p>{help.sandboxMail}</p>}
            <h2>{help.link}</h2>
            <p>{help.linkText}</p>
            <p>{help.linkCode}</p>
            <h2>{help.dashboard}</h2>
            <p>{help.dashboardText}</p>
          </>
        )}
        <h2>{help.error}</h2>
        <p>{help.errorText}</p>
        <h2>{help.programs}</h2>
        <p>{hasReference ? help.programsTextWithReference : help.programsText}</p>
        {helpUrl !== undefined && (
          <>
            <h2>{help.contact}</h2>
            <p>
              <a href={helpUrl}>{helpUrl.replace(/^mailto:/, '')}</a>
            </p>
          </>
        )}
      </>
    ),
  });
}
