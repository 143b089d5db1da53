import type { RequestHandler } from 'express';
import { MethodNotAllowedError } from '../errors/caller-errors.js';

/** Stands behind the handlers of a page: whatever comes here has a method that the page does not have. */
export function refuseMethod(...allowed: readonly string[]): RequestHandler {
  return () => {
    throw new MethodNotAllowedError(allowed);
  };
}
