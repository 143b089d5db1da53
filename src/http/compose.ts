import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Runs handlers one after the other as one: what each of them throws or hands to `next` ends the run. Express would do
 * the same, at the price of matching a path in front of each.
 */
export function compose(handlers: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    let position = 0;
    const step = (error?: unknown): void => {
      if (error !== undefined) return next(error);
      const handler = handlers[position];
      position += 1;
      if (handler === undefined) return next();
      // What a handler throws, or rejects with, Express hands to the error handlers, and so does this: a step may be taken
      // from a callback, where nobody else would catch it.
      try {
        const done: unknown = handler(request, response, step as NextFunction);
        if (done instanceof Promise) done.catch(next);
      } catch (thrown) {
        next(thrown);
      }
    };
    step();
  };
}
