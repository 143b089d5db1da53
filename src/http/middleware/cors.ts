import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** What a page of another origin may send, besides what every page may. */
const REQUEST_HEADERS =
  'Authorization, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, traceparent, X-Request-Id';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const TEN_MINUTES = '600';

/**
 * Lets pages of other origins call the REST API with an API key (CSRF-03). They never act for a signed-in person: no
 * answer allows credentials, so browsers neither send the session cookie nor show an answer to it.
 *
 * @param origins as browsers send them, such as `https://app.example.org`
 */
export function cors(origins: readonly string[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (!/^\/(?:api\/|openapi\.json$)/.test(request.path)) return next();
    // Caches must not give the answer for one origin to another.
    response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      // Every header that the API sends has something to say.
      response.setHeader('Access-Control-Expose-Headers', '*');
      return next();
    }
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    response.setHeader('Access-Control-Max-Age', TEN_MINUTES);
    response.status(204).end();
  };
}
