import type { NextFunction, Request, Response } from 'express';
import { pathBelow } from '../mounted-at.js';
import { requestState } from '../request-state.js';

/** The path in front of the routes of a project. What is no name of a project is no route either. */
export const PROJECT_PATH = /^\/projects\/[a-z][a-z0-9_-]{0,31}(?=\/|$)/;

/**
 * Takes `/api/v1/projects/trial/records` for `/projects/trial/api/v1/records`: what is below an entry of
 * `/api/v1/projects` is where a client of the API looks for it. Links have the second form.
 */
export function projectPathOf(request: Request, _response: Response, next: NextFunction): void {
  const path = request.url.replace(
    /^\/api\/v1\/projects\/([a-z][a-z0-9_-]{0,31})(?=\/)/,
    '/projects/$1/api/v1',
  );
  if (path !== request.url) {
    request.url = path;
    request.originalUrl = request.baseUrl + path;
  }
  next();
}

/** Remembers which project the path names, whether or not there is one: that depends on who asks. */
export function nameProject(request: Request, _response: Response, next: NextFunction): void {
  requestState(request).project = request.baseUrl.slice(request.baseUrl.lastIndexOf('/') + 1);
  next();
}

/** Lets the links of pages and redirects begin with the path under which the service, or its project, is reached. */
export function keepBasePath(request: Request, response: Response, next: NextFunction): void {
  const base = request.baseUrl;
  if (base !== '') {
    requestState(request).base = base;
    const location = response.location.bind(response);
    response.location = (url) => location(url.startsWith('/') ? pathBelow(base, url) : url);
  }
  next();
}
