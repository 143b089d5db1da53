import { html, type Html } from './html.js';

/** Where the style sheet of the pages is served. */
export const STYLE_SHEET_PATH = '/assets/pages.css';

/** The frame of every page: a title, one heading, one column. Works without JavaScript; there is none. */
export function layout(title: string, content: Html, options: { readonly isSandbox?: boolean } = {}): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · CRF Service</title>
        <link rel="stylesheet" href="${STYLE_SHEET_PATH}" />
      </head>
      <body>
        ${options.isSandbox && html`<p class="sandbox" role="note">This is a sandbox: nothing here is real, and no mail is sent. <a href="/sandbox/mailbox">Open the mailbox</a></p>`}
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `;
  return page.text;
}
