import type { Express, Router } from 'express';

/** A route that Express serves. */
export interface ExpressRoute {
  readonly method: string;
  /** As it was registered; a regular expression as its text. */
  readonly path: string;
}

/** The routes of a router, and the handlers in it that are neither a route nor a router. */
export interface ExpressRoutes {
  readonly routes: readonly ExpressRoute[];
  /** Path and number of parameters of each, four for a handler of errors, and its name if it has one. */
  readonly opaque: readonly string[];
}

interface Layer {
  readonly rawPath: unknown;
  readonly handle: ((...args: never[]) => unknown) & { readonly stack?: readonly Layer[] };
  readonly route?: { readonly path: unknown; readonly stack: readonly { readonly method?: string }[] };
}

/** Reads the routes that are really registered, routers within routers included. */
export function routesOf(router: Router | Express['router']): ExpressRoutes {
  const { stack } = router as unknown as { readonly stack: readonly Layer[] };
  const found = stack.map(({ rawPath, handle, route }): ExpressRoutes => {
    if (route !== undefined) {
      const methods = new Set(route.stack.flatMap(({ method }) => (method === undefined ? [] : [method])));
      const path = String(route.path);
      return { routes: [...methods].map((method) => ({ method: method.toUpperCase(), path })), opaque: [] };
    }
    if (handle.stack !== undefined) return routesOf(handle as unknown as Router);
    return { routes: [], opaque: [`${String(rawPath)} ${handle.length} ${handle.name}`.trimEnd()] };
  });
  return { routes: found.flatMap(({ routes }) => routes), opaque: found.flatMap(({ opaque }) => opaque) };
}
