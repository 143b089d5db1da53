import { createHash } from 'node:crypto';
import express, { type Router } from 'express';
import { MethodNotAllowedError } from '../errors/caller-errors.js';
import { mountedAt } from '../http/mounted-at.js';
import { apiDocument } from './api-document.js';

/** Serves the generated document at `/openapi.json`, with an ETag (HDR-03). Only its server depends on the mount path. */
export function createOpenApiRouter(): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/openapi.json')
    .get((request, response) => {
      const document = mountedAt(request.baseUrl, apiDocument().toString());
      const etag = `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`;
      response.setHeader('ETag', etag).setHeader('Cache-Control', 'no-cache');
      if (request.fresh) return void response.status(304).end();
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(document);
    })
    .all(() => {
      throw new MethodNotAllowedError(['GET', 'HEAD']);
    });
  return router;
}
