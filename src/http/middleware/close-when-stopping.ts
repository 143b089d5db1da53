import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { HealthService } from '../../services/health-service.js';

/**
 * Closes the connection after every response while the service drains. Otherwise a client with a keep-alive connection
 * could keep the process running long after its last request (OPS-02).
 */
export function closeWhenStopping(health: HealthService): RequestHandler {
  return (_request: Request, response: Response, next: NextFunction) => {
    if (health.isStopping) response.setHeader('Connection', 'close');
    next();
  };
}
