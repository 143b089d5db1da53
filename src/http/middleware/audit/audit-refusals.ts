import type { ErrorRequestHandler, NextFunction, Request, Response } from 'express';
import { RateLimitedError } from '../../../domain/errors/access-errors.js';
import { CrfError } from '../../../domain/errors/crf-error.js';
import type { ProblemCode } from '../../../domain/errors/problem-table.js';
import { requestState } from '../../request-state.js';
import type { AuditTrail } from '../../../services/audit/audit-trail.js';
import { LimitHits } from '../../../services/audit/limit-hits.js';
import { askedOf, marksOf } from './audit-call.js';

const REFUSALS: ReadonlySet<ProblemCode> = new Set([
  'unauthenticated',
  'insufficient_scope',
  'project_not_found',
  'cross_site_request',
]);

/**
 * Writes refusals to the audit log, without waiting for it, and passes every error on: those because of a credential, its
 * scopes or another site, and those by a rate limit (LOG-04). The caller is named where it is known.
 */
export function auditRefusals(audit: AuditTrail): ErrorRequestHandler {
  const hits = new LimitHits(audit);
  return (thrown: unknown, request: Request, _response: Response, next: NextFunction) => {
    if (thrown instanceof RateLimitedError) hits.hit(refusalOf(request, thrown));
    else if (isRefusal(thrown) && !requestState(request).audit?.isBegun)
      audit.note({ event: 'call.refused', outcome: 'refused', ...refusalOf(request, thrown) });
    next(thrown);
  };
}

function isRefusal(thrown: unknown): thrown is CrfError {
  return thrown instanceof CrfError && REFUSALS.has(thrown.code);
}

function refusalOf(request: Request, { status, code }: CrfError) {
  return { ...marksOf(request), ...askedOf(request), status, reason: code };
}
