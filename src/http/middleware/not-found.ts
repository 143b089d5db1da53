import type { RequestHandler } from 'express';
import { RouteNotFoundError } from '../../domain/errors/http-errors.js';

/** Refuses every request that no route has handled. @param routesAt the page that lists the routes */
export function notFound(routesAt: '/docs' | '/openapi.json'): RequestHandler {
  return () => {
    throw new RouteNotFoundError(routesAt);
  };
}
