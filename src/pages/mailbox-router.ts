import express, { type Request, type Response, type Router } from 'express';
import { mailboxPage, type MailOnPage } from './mailbox-page.js';
import { pageContextOf } from './page-context.js';
import { refuseMethod } from './refuse-method.js';
import { sendPage } from './send-page.js';

/** Where the mails are that the sandbox would have sent. */
export interface MailSource {
  /** The newest first. */
  readonly mails: readonly MailOnPage[];
  /** Calls at each new mail, until the returned function is called. */
  onMail(listener: () => void): () => void;
}

export interface MailboxRouterOptions {
  /** Ends the streams when the service stops. */
  readonly stopping: AbortSignal;
  /** How often a silent stream says that it lives; 20 s by default, less than any proxy waits. */
  readonly heartbeatMs?: number | undefined;
}

/** Browsers that may watch at once: each holds a connection. */
const MOST_WATCHERS = 100;

/** Serves the mailbox: a page for people, JSON for programs, and a stream of server-sent events with new mails. */
export function createMailboxRouter(source: MailSource, options: MailboxRouterOptions): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  let watchers = 0;

  router
    .route('/sandbox/mailbox')
    .get((request: Request, response: Response) => {
      response.setHeader('X-Robots-Tag', 'noindex').setHeader('Cache-Control', 'no-store').vary('Accept');
      if (request.accepts(['html', 'json']) === 'json') response.json({ data: source.mails });
      else sendPage(response, mailboxPage(pageContextOf(request), source.mails), { hasScripts: true });
    })
    .all(refuseMethod('GET', 'HEAD'));
  router
    .route('/sandbox/mailbox/events')
    .get((request: Request, response: Response) => {
      // 204 tells a browser not to come back: the page has its link.
      if (watchers >= MOST_WATCHERS || options.stopping.aborted) return void response.status(204).end();
      response
        .setHeader('Content-Type', 'text/event-stream')
        .setHeader('Cache-Control', 'no-store')
        .setHeader('X-Accel-Buffering', 'no');
      if (request.method === 'HEAD') return void response.end();
      watchers += 1;
      response.write('retry: 2000\n\n');
      const forget = source.onMail(() => response.write('event: mail\ndata:\n\n'));
      const heartbeat = setInterval(() => response.write(':\n\n'), options.heartbeatMs ?? 20_000);
      const end = (): void => void response.end();
      options.stopping.addEventListener('abort', end, { once: true });
      response.once('close', () => {
        watchers -= 1;
        forget();
        clearInterval(heartbeat);
        options.stopping.removeEventListener('abort', end);
      });
    })
    .all(refuseMethod('GET', 'HEAD'));
  return router;
}
