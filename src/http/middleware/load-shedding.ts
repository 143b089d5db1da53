import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { OverloadedError } from '../../domain/errors/operator-errors.js';
import { requestState } from '../request-state.js';

/**
 * Refuses requests while the process is overloaded, except liveness checks, whose failure would cause a restart, and
 * except the only request: what delays it then is not the load (OPS-04).
 *
 * @param isOverloaded is given the number of requests in progress
 */
export function loadShedding(isOverloaded: (running: number) => boolean): RequestHandler {
  let running = 0;
  return (request: Request, response: Response, next: NextFunction) => {
    if (requestState(request).operation?.template === '/health') return next();
    if (running > 0 && isOverloaded(running)) throw new OverloadedError({ retryAfterSeconds: 2 });
    running += 1;
    response.once('close', () => (running -= 1));
    next();
  };
}
