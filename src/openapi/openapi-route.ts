import { createHash } from 'node:crypto';
import express, { type Router } from 'express';
import { MethodNotAllowedError } from '../errors/caller-errors.js';
import type { ApiDocument } from './api-document.js';

/** Serves the generated document unchanged at `/openapi.json`, with an ETag (HDR-03). */
export function createOpenApiRouter(document: ApiDocument): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const etag = `"${createHash('sha256').update(document.json).digest('base64url').slice(0, 22)}"`;

  router
    .route('/openapi.json')
    .get((request, response) => {
      response.setHeader('ETag', etag).setHeader('Cache-Control', 'no-cache');
      if (request.fresh) return void response.status(304).end();
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(document.json);
    })
    .all(() => {
      throw new MethodNotAllowedError(['GET', 'HEAD']);
    });
  return router;
}
