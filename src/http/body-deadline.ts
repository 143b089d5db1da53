import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** How long a small body, JSON or a form, may take. */
export const BODY_TIMEOUT_MS = 60_000;

/**
 * Gives a body parser a deadline. A byte now and then keeps a connection from being idle, and would hold it for days
 * (OPS-03): the connection of a body that is not whole by then is destroyed.
 *
 * @param read a parser that calls `next` when it has read the body, or has failed to
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
