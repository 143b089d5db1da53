import type { Express, Response } from 'express';

/**
 * Writes JSON answers plainly. Express's own `json` parses and formats the content type anew and looks for ETags at each
 * answer; here every JSON answer is UTF-8 and none has an ETag of Express's making.
 */
export function usePlainJson(app: Express): void {
  app.response.json = function json(this: Response, body: unknown): Response {
    const text = JSON.stringify(body);
    if (!this.hasHeader('Content-Type')) this.setHeader('Content-Type', 'application/json; charset=utf-8');
    this.setHeader('Content-Length', Buffer.byteLength(text));
    return this.end(text);
  };
}
