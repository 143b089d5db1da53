import type { RequestHandler } from 'express';
import { ProblemError } from '../domain/errors/problem-error.js';

/** Refuses the other methods of a page. Mount it after the handlers of the page. */
export function refuseMethod(...allowed: readonly string[]): RequestHandler {
  return () => {
    throw new ProblemError('method_not_allowed', { allowed });
  };
}
