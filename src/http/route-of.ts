import type { Request } from 'express';
import { requestState } from './request-state.js';

/** Returns the template of the route, such as `/api/v1/users/{email}`, never the path. Unknown paths are `unknown`. */
export function routeOf(request: Request): string {
  const route = request.route as { readonly path?: unknown } | undefined;
  return (
    requestState(request).operation?.template ?? (typeof route?.path === 'string' ? route.path : 'unknown')
  );
}
