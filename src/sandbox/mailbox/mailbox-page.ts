import type { SandboxMail } from './mailbox.js';

/** Seconds between two looks: the page refreshes itself, without a script. */
const REFRESH_SECONDS = 3;

/** The page: the newest mail first, with the link to click. */
export function mailboxPage(mails: readonly SandboxMail[]): string {
  const list =
    mails.length === 0
      ? '<p>No mail yet. <a href="/login">Ask for a sign-in link</a>.</p>'
      : mails.map(article).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>Mailbox of the sandbox</title>
<link rel="stylesheet" href="/sandbox/mailbox.css">
</head>
<body>
<main>
<h1>Mailbox of the sandbox</h1>
<p class="note" role="note">This is a sandbox: nothing was sent to anybody. These mails would have been.</p>
${list}
</main>
</body>
</html>
`;
}

function article({ to, subject, link, phrase, requestedWith, date }: SandboxMail): string {
  return `<article>
<h2>${escape(subject)}</h2>
<p>To ${escape(to)}<br><span class="quiet">${escape(date.toISOString().slice(0, 19).replace('T', ' '))} UTC, requested with ${escape(requestedWith)}</span></p>
${phrase === '' ? '' : `<p>Security phrase: <strong>${escape(phrase)}</strong></p>`}
<p><a href="${escape(link)}">Sign in</a></p>
</article>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
