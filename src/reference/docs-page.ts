import express, { type Router } from 'express';
import swaggerUi from 'swagger-ui-express';

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

/**
 * The reference page: Swagger UI with its assets from this package, reading `/openapi.json`. It ignores `?url=` and
 * `?configUrl=`, keeps no authorisation between visits and sends the document to nobody (HDR-02).
 */
export function createDocsRouter(): Router {
  const router = express.Router({ strict: true });
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  // `serveFiles`, not `serve`: the latter keeps its settings in the module, shared by every application of the process.
  router.use(...swaggerUi.serveFiles(undefined, SWAGGER_UI), swaggerUi.setup(undefined, SWAGGER_UI));
  return router;
}

const SWAGGER_UI: swaggerUi.SwaggerUiOptions = {
  customSiteTitle: 'CRF Service: reference',
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
