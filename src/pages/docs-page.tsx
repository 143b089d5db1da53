import express, { type RequestHandler, type Response, type Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { pageContextOf, type PageContext } from './page-context.js';
import { renderPage } from './page.js';
import { refuseMethod } from './refuse-method.js';

/**
 * Swagger UI's own policy: its scripts and requests stay on this origin, and no inline script runs. Inline styles are
 * Swagger UI's way of drawing; images may be data: because its icons are. The form is the one that signs out.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** What the page asks for. The other files of Swagger UI's folder are not served. */
const STYLE_SHEETS = ['swagger-ui.css'];
const SCRIPTS = ['swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'swagger-ui-init.js'];

const SWAGGER_UI: swaggerUi.SwaggerUiOptions = {
  swaggerUrl: '/openapi.json', // given here, it wins over `?url=`
  swaggerOptions: {
    validatorUrl: null, // otherwise the page sends the document to a public validator
    queryConfigEnabled: false,
    persistAuthorization: false,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
  },
};

/**
 * The reference page: Swagger UI in the frame of the other pages, with its files from this package, reading
 * `/openapi.json`. It ignores `?url=` and `?configUrl=`, keeps no authorisation between visits and sends the document to
 * nobody (HDR-02).
 */
export function createDocsRouter(): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  const serve = (path: string, ...handlers: RequestHandler[]): void => {
    router
      .route(path)
      .get(...handlers)
      .all(refuseMethod('GET', 'HEAD'));
  };

  serve('/', atFolder, (request, response) => sendReference(response, pageContextOf(request)));
  // `serveFiles`, not `serve`: the latter keeps its settings in the module, shared by every application of the process.
  for (const file of [...STYLE_SHEETS, ...SCRIPTS])
    serve(`/${file}`, kept, ...swaggerUi.serveFiles(undefined, SWAGGER_UI));
  return router;
}

function sendReference(response: Response, context: PageContext): void {
  const page = renderPage({
    title: 'API reference',
    context,
    isWide: true,
    styleSheets: STYLE_SHEETS.map(beside),
    scripts: SCRIPTS.map(beside),
    children: (
      <>
        <noscript>
          <p>
            Trying routes out needs JavaScript. The <a href="/openapi.json">OpenAPI document</a> says the
            same.
          </p>
        </noscript>
        <div id="swagger-ui" class="reference" />
      </>
    ),
  });
  response
    .setHeader('Content-Type', 'text/html; charset=utf-8')
    .setHeader('Content-Length', Buffer.byteLength(page))
    .end(page);
}

function beside(file: string): string {
  return `./${file}`;
}

/** The page names its files relative to itself: they are found from `/docs/`, and not from `/docs`. */
const atFolder: RequestHandler = (request, response, next) => {
  const [path = '', query] = request.originalUrl.split('?');
  if (path.endsWith('/')) next();
  else response.redirect(308, `${request.baseUrl}/${query === undefined ? '' : `?${query}`}`);
};

/** A browser may keep a file, and asks for it anew with its ETag. */
const kept: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-cache');
  next();
};
