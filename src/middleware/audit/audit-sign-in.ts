import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AuditTrail } from '../../services/audit/audit-trail.js';
import { errorFor, marksOf } from './audit-call.js';
import { holdAnswer } from './hold-answer.js';

/**
 * The events of the sign-in are written while a request runs: this marks them with the request, and holds its answer until
 * they are safe. While the log cannot be written, nobody signs in or out, and no account is deleted.
 */
export function auditSignIn(audit: AuditTrail): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    if (!isPartOfSignIn(request)) return next();
    await audit.checkWritable();
    holdAnswer(response, () => audit.settled(), errorFor(request));
    audit.within(marksOf(request), next);
  };
}

/** Whatever uses a link, and whatever changes something and is no route of the project's data. */
function isPartOfSignIn({ method, path }: Request): boolean {
  if (path === '/login') return true;
  const isChange = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  return isChange && (path.startsWith('/api/v1/auth/') || !path.startsWith('/api/'));
}
