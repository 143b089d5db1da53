import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';
import { RateLimitedError } from '../../errors/caller-errors.js';
import { appState } from '../../http/app-state.js';
import { requestState } from '../../http/request-state.js';
import type { Caller } from '../../services/access/access-control.js';
import type { AuditTrail } from '../../services/audit/audit-trail.js';
import { LimitHits } from '../../services/audit/limit-hits.js';
import { callerLabel } from '../caller-label.js';
import { marksOf } from './audit-call.js';

/** Writes refusals by a rate limit to the audit log (LOG-04), and passes every error on. */
export function auditLimits(audit: AuditTrail): ErrorRequestHandler {
  const hits = new LimitHits(audit);
  return (thrown: unknown, request: Request, _response: Response, next: NextFunction) => {
    if (thrown instanceof RateLimitedError) {
      const { user } = request as Request & { readonly user?: Caller };
      hits.hit({
        ...marksOf(request),
        operation: requestState(request).operation?.id,
        actor: user && callerLabel(user, appState(request.app).pseudonymOf),
        status: thrown.status,
        reason: thrown.code,
      });
    }
    next(thrown);
  };
}
