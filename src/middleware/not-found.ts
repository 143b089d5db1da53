import { RouteNotFoundError } from '../errors/route-not-found-error.js';

/** What no route has answered has no route. */
export function notFound(): never {
  throw new RouteNotFoundError();
}
