import type { Request } from 'express';
import { requestState } from '../http/request-state.js';

/** @returns the template of the route, never the path: `/api/v1/users/{email}`; `unknown` for a path that nobody serves */
export function routeOf(request: Request): string {
  const route = request.route as { readonly path?: unknown } | undefined;
  return (
    requestState(request).operation?.template ?? (typeof route?.path === 'string' ? route.path : 'unknown')
  );
}
