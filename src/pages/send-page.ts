import type { Response } from 'express';

/** Nothing but the style sheet is loaded, nothing runs, and forms go to this origin only. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Writes a page. Never cached, never indexed, never named to another site (LOGIN-12). */
export function sendPage(response: Response, page: string, status = 200): void {
  response
    .status(status)
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    .setHeader('X-Robots-Tag', 'noindex')
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Referrer-Policy', 'no-referrer');
  response.end(page);
}
