import { createHash } from 'node:crypto';
import { ProblemError } from '../../domain/errors/problem-error.js';
import express, { type Router } from 'express';
import { mountedAt } from '../mounted-at.js';
import { requestState } from '../request-state.js';
import { apiDocument } from './api-document.js';

/**
 * Serves the generated document at `/openapi.json`, with an ETag (HDR-03). Its servers depend on the mount path, and
 * on whether there are several projects.
 */
export function createOpenApiRouter({
  hasProjects,
  hasSignIn,
}: {
  readonly hasProjects: boolean;
  readonly hasSignIn: boolean;
}): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route('/openapi.json')
    .get((request, response) => {
      const isOfProject = requestState(request).project !== undefined;
      const isOfAll = hasProjects && !isOfProject;
      const { json, digest } = apiDocument(hasSignIn);
      // All that the answer depends on.
      const version = `${digest} ${isOfAll} ${request.baseUrl}`;
      const etag = `"${createHash('sha256').update(version).digest('base64url').slice(0, 22)}"`;
      response.setHeader('ETag', etag).setHeader('Cache-Control', 'no-cache');
      if (request.fresh) return void response.status(304).end();
      const document = mountedAt(request.baseUrl, json, isOfAll);
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(document);
    })
    .all(() => {
      throw new ProblemError('method_not_allowed', { allowed: ['GET', 'HEAD'] });
    });
  return router;
}
