import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { ProblemError } from '../domain/errors/problem-error.js';

/** Returns a router whose paths are matched as they are written. */
export function pageRouter(): Router {
  return express.Router({ strict: true, caseSensitive: true });
}

/** Serves a page, and refuses the other methods. */
export function getPage(router: Router, path: string, ...handlers: readonly RequestHandler[]): void {
  router
    .route(path)
    .get(...handlers)
    .all(refuseMethod('GET', 'HEAD'));
}

/** Takes a form, and refuses the other methods. */
export function postForm(
  router: Router,
  path: string,
  ...handlers: readonly (RequestHandler | ErrorRequestHandler)[]
): void {
  router
    .route(path)
    .post(...handlers)
    .all(refuseMethod('POST'));
}

/** Refuses the other methods of a page. Mount it after the handlers of the page. */
export function refuseMethod(...allowed: readonly string[]): RequestHandler {
  return () => {
    throw new ProblemError('method_not_allowed', { allowed });
  };
}
