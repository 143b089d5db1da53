import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** How long a small body, JSON or a form, may take to arrive. */
export const BODY_TIMEOUT_MS = 60_000;

/**
 * Gives a body parser a deadline, and destroys the connection if the body is not complete by then. Without it, a client
 * could hold a connection for days by sending a byte now and then (OPS-03).
 *
 * @param read a parser that calls `next` when it has read the body or failed
 */
export function bodyDeadline(read: RequestHandler, timeoutMs = BODY_TIMEOUT_MS): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const overdue = setTimeout(() => request.destroy(), timeoutMs);
    return read(request, response, (error?: unknown) => {
      clearTimeout(overdue);
      next(error);
    });
  };
}
