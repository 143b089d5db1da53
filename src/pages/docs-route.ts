import type { RequestHandler, Router } from 'express';

/** Serves the reference page. Swagger UI is loaded by its first reader, so that no start waits for it. */
export function docsRoute(): RequestHandler {
  let router: Promise<Router> | undefined;
  return (request, response, next) => {
    router ??= import('./docs-page.js').then(({ createDocsRouter }) => createDocsRouter());
    router.then((serve) => serve(request, response, next), next);
  };
}
