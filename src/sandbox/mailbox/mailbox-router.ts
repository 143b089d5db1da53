import express, { type Request, type Response, type Router } from 'express';
import { readFileSync } from 'node:fs';
import { MethodNotAllowedError } from '../../errors/caller-errors.js';
import { mailboxPage } from './mailbox-page.js';
import type { Mailbox } from './mailbox.js';

/** Serves the mailbox: a page for people, JSON for programs. */
export function createMailboxRouter(mailbox: Mailbox): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const styleSheet = readFileSync(new URL('./mailbox.css', import.meta.url), 'utf8');

  router
    .route('/sandbox/mailbox')
    .get((request: Request, response: Response) => {
      response.setHeader('X-Robots-Tag', 'noindex').setHeader('Cache-Control', 'no-store');
      if (request.accepts(['html', 'json']) === 'json') return void response.json({ data: mailbox.mails });
      response
        .setHeader('Content-Type', 'text/html; charset=utf-8')
        .setHeader('Referrer-Policy', 'no-referrer')
        .setHeader(
          'Content-Security-Policy',
          "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        )
        .end(mailboxPage(mailbox.mails));
    })
    .all(refuseMethod);
  router
    .route('/sandbox/mailbox.css')
    .get((_request, response) => {
      response.setHeader('Content-Type', 'text/css; charset=utf-8').end(styleSheet);
    })
    .all(refuseMethod);
  return router;
}

function refuseMethod(): never {
  throw new MethodNotAllowedError(['GET', 'HEAD']);
}
