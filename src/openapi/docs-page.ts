import express, { type RequestHandler, type Router } from 'express';
import { fileURLToPath } from 'node:url';
import { MethodNotAllowedError } from '../errors/method-not-allowed-error.js';

/**
 * Swagger UI's own policy: its scripts and requests stay on this origin, and no inline script runs. Inline styles are
 * Swagger UI's way of drawing; images may be data: because its icons are.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Swagger UI's files. Their place relative to this file is the same in `src` and in the compiled package. */
const SWAGGER_UI = new URL('../../build/swagger-ui', import.meta.url);
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>CRF Service: reference</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** What Swagger UI is started with. It reads nothing of the page's own URL, so that no link can change it. */
const OPTIONS = {
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null, // otherwise the page sends the document to a public validator
  queryConfigEnabled: false,
  persistAuthorization: false,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
};
const START = `window.ui = SwaggerUIBundle(${JSON.stringify(OPTIONS)});\n`;

/**
 * The reference page: Swagger UI with its files from this package, reading `/openapi.json`. It ignores `?url=` and
 * `?configUrl=`, keeps no authorisation between visits and sends the document to nobody (HDR-02).
 */
export function createDocsRouter(): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  const serve = (path: string, handler: RequestHandler): void => {
    router
      .route(path)
      .get(handler)
      .all(() => {
        throw new MethodNotAllowedError(['GET', 'HEAD']);
      });
  };

  serve('/', (_request, response) => void response.type('html').send(PAGE));
  serve('/start.js', (_request, response) => void response.type('js').send(START));
  for (const file of FILES) {
    serve(`/${file}`, (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-cache'); // kept, and asked for anew with its ETag
      response.sendFile(file, { root: fileURLToPath(SWAGGER_UI) }, (error?: Error) => {
        if (error !== undefined && !response.headersSent) next(error);
      });
    });
  }
  return router;
}
