import { deviceName } from '../services/auth/device-name.js';
import { ASSETS } from './assets.js';
import { Moment } from './parts.js';
import { renderPage } from './page.js';
import type { MailOnPage } from './mail-source.js';
import type { PageContext } from './page-context.js';
import type { Texts } from './texts/texts.js';

/** The mailbox of the sandbox, newest email first. A script adds new emails; without scripts there is a link. */
export function mailboxPage(context: PageContext, mails: readonly MailOnPage[]): string {
  const { t } = context;
  return renderPage({
    title: t.mailbox.title,
    context,
    scripts: [ASSETS.mailboxScript],
    lead: t.mailbox.lead,
    children: (
      <>
        <p
          class="live"
          id="live"
          role="status"
          data-events="/sandbox/mailbox/events"
          data-ready={t.mailbox.byThemselves}
        >
          <a href="/sandbox/mailbox">{t.mailbox.lookAgain}</a>
        </p>
        <div id="mails">
          {mails.length === 0 && <p id="no-mail">{t.mailbox.noMail}</p>}
          {mails.map((mail, index) => (
            <Mail key={index} {...mail} t={t} />
          ))}
        </div>
      </>
    ),
  });
}

function Mail({ to, subject, link, phrase, requestedWith, date, t }: MailOnPage & { readonly t: Texts }) {
  const { mailbox } = t;
  return (
    <article class="card mail">
      <h2>{subject}</h2>
      <p>
        {mailbox.to(to)}
        <br />
        <span class="quiet small">
          {mailbox.requested(
            <Moment at={date.toISOString()} t={t} />,
            t.device(deviceName(requestedWith)) || requestedWith,
          )}
        </span>
      </p>
      {phrase !== '' && <p>{mailbox.phrase(phrase)}</p>}
      <p>
        <a class="button" aria-label={mailbox.signInAs(to)} href={link}>
          {mailbox.signIn}
        </a>
      </p>
    </article>
  );
}
