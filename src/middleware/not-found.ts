import type { RequestHandler } from 'express';
import { RouteNotFoundError } from '../errors/caller-errors.js';

/** What no route has answered has no route. @param routesAt where all the routes are listed */
export function notFound(routesAt: '/docs' | '/openapi.json'): RequestHandler {
  return () => {
    throw new RouteNotFoundError(routesAt);
  };
}
