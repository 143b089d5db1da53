import type { RequestHandler, Router } from 'express';

/** Serves the reference pages. Swagger UI is loaded by their first reader, so that no start waits for it. */
export function docsRoute(callLimit: RequestHandler): RequestHandler {
  let router: Promise<Router> | undefined;
  return (request, response, next) => {
    router ??= import('./docs-page.js').then(({ createDocsRouter }) => createDocsRouter(callLimit));
    router.then((serve) => serve(request, response, next), next);
  };
}
