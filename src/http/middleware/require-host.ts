import type { NextFunction, Request, Response } from 'express';
import { MalformedRequestError } from '../../domain/errors/caller-errors.js';
import { hostProblem } from '../host-header.js';

/**
 * Refuses a request whose host is missing, named twice or none. Node would refuse only the first, without a request id,
 * our headers and a log entry.
 *
 * @throws {MalformedRequestError}
 */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const problem = hostProblem(request);
  if (problem !== undefined) throw new MalformedRequestError(problem);
  next();
}
