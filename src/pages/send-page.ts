import type { Response } from 'express';

/** Files load only from this origin, inline code is blocked, and forms go only to this origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const WITH_SCRIPTS = `${CONTENT_SECURITY_POLICY}; script-src 'self'; connect-src 'self'`;

/** The options for sending a page. */
export interface SendPageOptions {
  readonly status?: number;
  /** Whether scripts of this origin may run; `false` by default. */
  readonly hasScripts?: boolean;
}

/** Sends a page. It is never cached or indexed, and its URL is never sent to another site (LOGIN-12). */
export function sendPage(
  response: Response,
  page: string,
  { status = 200, hasScripts = false }: SendPageOptions = {},
): void {
  response
    .status(status)
    .vary('Accept-Language, Cookie')
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .setHeader('Content-Security-Policy', hasScripts ? WITH_SCRIPTS : CONTENT_SECURITY_POLICY)
    .setHeader('X-Robots-Tag', 'noindex')
    .setHeader('Cache-Control', 'no-store')
    .setHeader('Referrer-Policy', 'no-referrer');
  response.end(page);
}
