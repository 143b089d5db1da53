import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { RateLimitedError } from '../../../domain/errors/access-errors.js';
import { CrfError } from '../../../domain/errors/crf-error.js';
import type { ProblemCode } from '../../../domain/errors/problem-table.js';
import { upstreamAnswerOf } from '../../../domain/errors/upstream-errors.js';
import { projectLogsOf } from '../../app-state.js';
import { networkPrefixOf } from '../../network-of-address.js';
import { requestState, routeOf } from '../../request-state.js';
import { CallAudit, type AuditedCall } from '../../../services/audit/call-audit.js';
import { isAudited } from '../../../services/audit/audited-scopes.js';
import { callDetails } from '../../../services/audit/call-details.js';
import { recordPseudonym } from '../../../services/audit/record-pseudonyms.js';
import type { AuditTrail } from '../../../services/audit/audit-trail.js';
import { LimitHits } from '../../../services/audit/limit-hits.js';
import { callerLabel } from '../observe-requests.js';
import { toCrfError } from '../problems.js';
import { holdAnswer } from './hold-answer.js';

/**
 * Prepares the entries of a request in the audit log. A call is entered by the check of its scopes or, at the latest, by
 * the first service that it uses. From then on its response is held until its end is in the log too.
 */
export function auditCalls(request: Request, response: Response, next: NextFunction): void {
  const { audit } = projectLogsOf(request);
  if (audit !== undefined) {
    const call: CallAudit = new CallAudit(audit, {
      describe: () => callOf(request),
      onBegun: () => hold(call, request, response),
      recordPseudonymOf: recordPseudonymsOf(request),
    });
    requestState(request).audit = call;
  }
  next();
}

/**
 * Enters a call on data even if its parameters will be refused. The services enter it in any case (GW-04).
 *
 * @throws {ProblemError} `audit_unavailable`
 */
export async function enterCall(request: Request, _response: Response, next: NextFunction): Promise<void> {
  const { audit, scopes = [] } = requestState(request);
  if (isAudited(scopes)) await audit?.begin();
  next();
}

function callOf(request: Request): AuditedCall {
  const { path, query, body } = {
    path: request.params ?? {},
    query: request.query,
    body: request.body as unknown,
  };
  return {
    ...marksOf(request),
    ...askedOf(request),
    what: callDetails({ path, query, body }, projectLogsOf(request).pseudonymOf, recordPseudonymsOf(request)),
  };
}

/** Names a record in the log by its own id, also if what its caller sees has another, so that all calls about it are found. */
function recordPseudonymsOf(request: Request): (id: string) => string {
  return (id) => {
    const keys = requestState(request).seen?.view.deidentify?.keys;
    return recordPseudonym(keys?.idOf(id) ?? id, projectLogsOf(request).pseudonymOf);
  };
}

function hold(call: CallAudit, request: Request, response: Response): void {
  const json = response.json.bind(response);
  response.json = (body: unknown) => {
    call.answered(body);
    return json(body);
  };
  holdAnswer(
    response,
    (end) => {
      const { problem, upstream, brokenBy } = requestState(request);
      return call.end({
        status: response.statusCode,
        problem: problem ?? brokenBy?.code,
        upstream: upstream ?? upstreamAnswerOf(brokenBy),
        isAborted: end === 'aborted',
        hasFailed: brokenBy !== undefined && brokenBy.status >= 500,
      });
    },
    errorFor(request),
  );
}

/**
 * Marks the audit events of a sign-in with its request, and holds the response until they are written. While the log
 * cannot be written, nobody can sign in or out, and no account can be deleted.
 */
export function auditSignIn(audit: AuditTrail): RequestHandler {
  return async (request, response, next) => {
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
  return (thrown: unknown, request, _response, next) => {
    if (thrown instanceof RateLimitedError) hits.hit(refusalOf(request, thrown));
    else if (isRefusal(thrown) && !requestState(request).audit?.isBegun)
      audit.note({ event: 'call.refused', outcome: 'refused', ...refusalOf(request, thrown) });
    next(thrown);
  };
}

function isRefusal(thrown: unknown): thrown is CrfError {
  return thrown instanceof CrfError && REFUSALS.has(thrown.code);
}

function refusalOf(request: Request, error: CrfError) {
  const status = requestState(request).door?.statusOf(error) ?? error.status;
  return { ...marksOf(request), ...askedOf(request), status, reason: error.code };
}

/** Returns the origin of an audit entry. */
function marksOf(request: Request): { requestId: string; network: string } {
  return { requestId: requestState(request).id, network: networkPrefixOf(request.ip) };
}

/** Returns who asks, for what, and which scopes that requires. A page has no operation id, but method and path. */
function askedOf(request: Request): Pick<AuditedCall, 'actor' | 'operation' | 'door' | 'scopes' | 'policy'> {
  const { operation, door, scopes, seen } = requestState(request);
  return {
    ...(door && { door: 'redcap' as const }),
    operation: door?.operation?.id ?? operation?.id ?? `${request.method} ${routeOf(request)}`,
    actor: callerLabel(request),
    scopes,
    policy: seen?.view.policy,
  };
}

/** Returns a function that converts any thrown value to the error for this request. */
function errorFor(request: Request): (thrown: unknown) => CrfError {
  return (thrown) => {
    const error = toCrfError(thrown, request);
    error.requestId = requestState(request).id;
    return error;
  };
}
