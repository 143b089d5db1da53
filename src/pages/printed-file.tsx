import type { Child } from 'hono/jsx';
import { readStyleSheet } from './style-sheet.js';

/** Returns a document of its own, to be printed or sent: with its style sheet, without scripts and links. */
export function printedFile(lang: string, title: string, heading: string, children: Child): string {
  const page = (
    <html lang={lang}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
      </head>
      <body>
        <main class="wide">
          <h1>{heading}</h1>
          {children}
        </main>
      </body>
    </html>
  );
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono converts to its own HTML
  const html = String(page);
  return `<!doctype html>${html.replace('</head>', () => `<style>${readStyleSheet()}</style></head>`)}\n`;
}
