import { CrfError, type CrfErrorOptions } from './crf-error.js';

/** No route has this path. */
export class RouteNotFoundError extends CrfError {
  readonly code = 'route_not_found';

  constructor(options: CrfErrorOptions = {}) {
    super('Nothing is served at this path. See /docs for the routes.', options);
  }
}
