import type { Request, Response, Router } from 'express';
import type { MailSource } from './mail-source.js';
import { mailboxPage } from './mailbox-page.js';
import { pageContextOf } from './page-context.js';
import { getPage, pageRouter } from './page-router.js';
import { sendPage } from './send-page.js';

/** The maximum number of simultaneous watchers, because each holds a connection. */
const MOST_WATCHERS = 100;

/** How often a silent stream sends a heartbeat: less than the timeout of common proxies. */
const HEARTBEAT_MS = 20_000;

/**
 * Serves the mailbox: a page for people, JSON for programs, and new emails as a stream of server-sent events.
 *
 * @param stopping ends the streams when the service stops
 */
export function createMailboxRouter(source: MailSource, stopping: AbortSignal): Router {
  const router = pageRouter();
  let watchers = 0;

  getPage(router, '/sandbox/mailbox', (request: Request, response: Response) => {
    response.setHeader('X-Robots-Tag', 'noindex').setHeader('Cache-Control', 'no-store').vary('Accept');
    if (request.accepts(['html', 'json']) === 'json') response.json({ data: source.mails });
    else sendPage(response, mailboxPage(pageContextOf(request), source.mails), { hasScripts: true });
  });
  getPage(router, '/sandbox/mailbox/events', (request: Request, response: Response) => {
    // A 204 tells the browser not to reconnect. The page has a link instead.
    if (watchers >= MOST_WATCHERS || stopping.aborted) return void response.status(204).end();
    response
      .setHeader('Content-Type', 'text/event-stream')
      .setHeader('Cache-Control', 'no-store')
      .setHeader('X-Accel-Buffering', 'no');
    if (request.method === 'HEAD') return void response.end();
    watchers += 1;
    response.write('retry: 2000\n\n');
    const forget = source.onMail(() => response.write('event: mail\ndata:\n\n'));
    const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
    const end = (): void => void response.end();
    stopping.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      watchers -= 1;
      forget();
      clearInterval(heartbeat);
      stopping.removeEventListener('abort', end);
    });
  });
  return router;
}
