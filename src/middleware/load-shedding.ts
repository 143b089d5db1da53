import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { OverloadedError } from '../errors/operator-errors.js';
import { requestState } from '../http/request-state.js';

/**
 * Refuses requests while the process is overloaded, except liveness checks, whose failure would cause a restart
 * (OPS-04).
 */
export function loadShedding(isOverloaded: () => boolean): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    if (requestState(request).operation?.template !== '/health' && isOverloaded()) {
      throw new OverloadedError({ retryAfterSeconds: 2 });
    }
    next();
  };
}
