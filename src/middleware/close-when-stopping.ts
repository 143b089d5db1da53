import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { HealthService } from '../services/health-service.js';

/**
 * While the service drains, every answer closes its connection: otherwise a client that keeps one alive holds the
 * process open long after its last request (OPS-02).
 */
export function closeWhenStopping(health: HealthService): RequestHandler {
  return (_request: Request, response: Response, next: NextFunction) => {
    if (health.isStopping) response.setHeader('Connection', 'close');
    next();
  };
}
