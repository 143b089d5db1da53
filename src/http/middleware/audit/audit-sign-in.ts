import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AuditTrail } from '../../../services/audit/audit-trail.js';
import { errorFor, marksOf } from './audit-call.js';
import { holdAnswer } from './hold-answer.js';

/**
 * Marks the audit events of a sign-in with its request, and holds the response until they are written. While the log
 * cannot be written, nobody can sign in or out, and no account can be deleted.
 */
export function auditSignIn(audit: AuditTrail): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    if (!isPartOfSignIn(request)) return next();
    await audit.checkWritable();
    const { lostInAll } = audit;
    holdAnswer(response, () => audit.settled(lostInAll), errorFor(request));
    audit.within(marksOf(request), next);
  };
}

/** Whether the request uses a link, or changes something outside the routes for project data. */
function isPartOfSignIn({ method, path }: Request): boolean {
  if (path === '/login') return true;
  const isChange = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  return isChange && (path.startsWith('/api/v1/auth/') || !path.startsWith('/api/'));
}
