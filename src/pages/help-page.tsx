import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** What the configuration offers, which the help speaks of. */
export interface HelpOffer {
  /** Whether a link can sign in another device by a code. */
  readonly takesCodes: boolean;
  /** Whether everyone who signs in may read records. */
  readonly showsRecords: boolean;
}

/** The page with answers to common questions: no email, a link that does not work, an empty dashboard, an error. */
export function helpPage(context: PageContext, offer: HelpOffer): string {
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
            {offer.takesCodes && <p>{help.linkCode}</p>}
            {!offer.showsRecords && (
              <>
                <h2>{help.dashboard}</h2>
                <p>{help.dashboardText}</p>
              </>
            )}
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
