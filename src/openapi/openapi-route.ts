import { createHash } from 'node:crypto';
import express, { type Router } from 'express';
import { MethodNotAllowedError } from '../errors/caller-errors.js';
import { apiDocument } from './api-document.js';

/** Serves the generated document unchanged at `/openapi.json`, with an ETag (HDR-03). */
export function createOpenApiRouter(): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  let etag: string | undefined;

  router
    .route('/openapi.json')
    .get((request, response) => {
      etag ??= `"${createHash('sha256').update(apiDocument()).digest('base64url').slice(0, 22)}"`;
      response.setHeader('ETag', etag).setHeader('Cache-Control', 'no-cache');
      if (request.fresh) return void response.status(304).end();
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(apiDocument());
    })
    .all(() => {
      throw new MethodNotAllowedError(['GET', 'HEAD']);
    });
  return router;
}
