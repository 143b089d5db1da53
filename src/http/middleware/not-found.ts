import type { RequestHandler } from 'express';
import { ProblemError } from '../../domain/errors/problem-error.js';

/** Refuses every request that no route has handled. @param routesAt the page that lists the routes */
export function notFound(routesAt: '/docs' | '/openapi.json'): RequestHandler {
  return () => {
    throw new ProblemError('route_not_found', { routesAt });
  };
}
