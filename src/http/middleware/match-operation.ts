import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ProblemError } from '../../domain/errors/problem-error.js';
import { requestState } from '../request-state.js';
import type { OperationTable } from '../openapi/operation-table.js';
import { MalformedRequestError } from '../../domain/errors/caller-errors.js';

/**
 * Finds the operation of a request. Refuses URLs that are too long or cannot be decoded, and unsupported methods of
 * known paths (405 with `Allow`). Unknown paths pass, because pages are not in the document.
 */
export function matchOperation(operations: OperationTable, urlLimitBytes: number): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    // A URL is ASCII on the wire, so its length equals its size in bytes.
    if (request.url.length > urlLimitBytes)
      throw new ProblemError('uri_too_long', { limitBytes: urlLimitBytes });
    if (request.url.includes('%')) refuseBrokenEncoding(request);

    const path = operations.find(request.path);
    if (path === undefined) return next();

    const operation = path.methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (operation !== undefined) {
      requestState(request).operation = operation;
      return next();
    }
    const allowed = allowedMethods([...path.methods.keys()]);
    if (request.method !== 'OPTIONS') throw new ProblemError('method_not_allowed', { allowed });
    response.status(204).setHeader('Allow', allowed.join(', '));
    response.end();
  };
}

const OF_SIGN_IN =
  /^\/(?:login|signed-out|api\/v1\/auth|dashboard\/(?:sessions|my-data|sign-out|delete-account))(?:\/|$)/;
const OF_DASHBOARD = /^\/(?:dashboard|try-file)(?:\/|$)/;

/**
 * Refuses what a service without sign-in does not have, before any credential is asked for.
 *
 * @param hasDashboard whether everybody may read the dashboard
 */
export function withoutSignIn(hasDashboard: boolean): RequestHandler {
  return ({ path }, _response, next) => {
    if (OF_SIGN_IN.test(path) || (!hasDashboard && OF_DASHBOARD.test(path)))
      throw new ProblemError('route_not_found', { needsSignIn: true });
    next();
  };
}

/** Refuses every request that no route has handled. @param routesAt the page that lists the routes */
export function notFound(routesAt: '/docs' | '/openapi.json'): RequestHandler {
  return () => {
    throw new ProblemError('route_not_found', { routesAt });
  };
}

/** Returns the methods with the implied ones: HEAD with GET, and OPTIONS. */
export function allowedMethods(methods: readonly string[]): string[] {
  const withHead = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return [...new Set([...withHead, 'OPTIONS'])].sort();
}

function refuseBrokenEncoding(request: Request): void {
  try {
    // Query parsers are lenient: they would read a broken query as something that was not sent.
    decodeURIComponent(request.url);
  } catch (error) {
    throw new MalformedRequestError('The URL has a broken percent-encoding.', { cause: error });
  }
}
