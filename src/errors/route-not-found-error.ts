import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** No route has this path. */
export class RouteNotFoundError extends CrfError {
  readonly code = 'route_not_found';

  /** @param routesAt where the service lists its routes: a path that it serves */
  constructor(routesAt = '/openapi.json', options: CrfErrorOptions = {}) {
    super(`Nothing is served at this path. See ${routesAt} for the routes.`, options);
  }
}
