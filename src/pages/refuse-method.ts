import type { RequestHandler } from 'express';
import { MethodNotAllowedError } from '../domain/errors/http-errors.js';

/** Refuses the other methods of a page. Mount it after the handlers of the page. */
export function refuseMethod(...allowed: readonly string[]): RequestHandler {
  return () => {
    throw new MethodNotAllowedError(allowed);
  };
}
