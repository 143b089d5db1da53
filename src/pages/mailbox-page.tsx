import { deviceName } from '../services/auth/device-name.js';
import { ASSETS } from './assets.js';
import { Moment } from './moment.js';
import { renderPage } from './page.js';
import type { PageContext } from './page-context.js';

/** An email that the sandbox did not send. */
export interface MailOnPage {
  readonly to: string;
  readonly subject: string;
  readonly link: string;
  /** The security phrase; empty if there is none. */
  readonly phrase: string;
  /** The user agent that requested the email, shown as the name of the browser if known. */
  readonly requestedWith: string;
  readonly date: Date;
}

/** The mailbox of the sandbox, newest email first. A script adds new emails; without scripts there is a link. */
export function mailboxPage(context: PageContext, mails: readonly MailOnPage[]): string {
  return renderPage({
    title: 'Mailbox of the sandbox',
    context,
    scripts: [ASSETS.mailboxScript],
    lead: 'The sandbox sends no mail. These messages would have been sent.',
    children: (
      <>
        <p class="live" id="live" role="status" data-events="/sandbox/mailbox/events">
          <a href="/sandbox/mailbox">Look again</a>
        </p>
        <div id="mails">
          {mails.length === 0 && (
            <p id="no-mail">
              No mail yet. <a href="/login">Ask for a sign-in link</a>.
            </p>
          )}
          {mails.map((mail, index) => (
            <Mail key={index} {...mail} />
          ))}
        </div>
      </>
    ),
  });
}

function Mail({ to, subject, link, phrase, requestedWith, date }: MailOnPage) {
  return (
    <article class="card mail">
      <h2>{subject}</h2>
      <p>
        To {to}
        <br />
        <span class="quiet small">
          <Moment at={date.toISOString()} />, requested with {deviceName(requestedWith) || requestedWith}
        </span>
      </p>
      {phrase !== '' && (
        <p>
          Security phrase: <strong>{phrase}</strong>
        </p>
      )}
      <p>
        <a class="button" aria-label={`Sign in as ${to}`} href={link}>
          Sign in
        </a>
      </p>
    </article>
  );
}
