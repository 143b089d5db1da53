import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Combines handlers into one that runs them in order. The run ends when a handler throws or passes an error to `next`.
 * Express does the same, but matches a path before each handler.
 */
export function compose(handlers: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    let position = 0;
    const step = (error?: unknown): void => {
      if (error !== undefined) return next(error);
      const handler = handlers[position];
      position += 1;
      if (handler === undefined) return next();
      // Like Express, pass on what a handler throws or rejects with. A step may be called from a callback, where
      // nothing else would catch the error.
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
