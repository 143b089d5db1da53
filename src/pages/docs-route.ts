import type { RequestHandler, Router } from 'express';

/** Serves the reference pages. Swagger UI is imported for the first reader, to keep the start of the service fast. */
export function docsRoute(callLimit: RequestHandler): RequestHandler {
  let router: Promise<Router> | undefined;
  return (request, response, next) => {
    router ??= import('./docs-page.js').then(({ createDocsRouter }) => createDocsRouter(callLimit));
    router.then((serve) => serve(request, response, next), next);
  };
}
