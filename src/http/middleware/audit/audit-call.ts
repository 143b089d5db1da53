import type { NextFunction, Request, Response } from 'express';
import type { CrfError } from '../../../domain/errors/crf-error.js';
import { upstreamAnswerOf } from '../../../domain/errors/upstream-errors.js';
import { projectLogsOf } from '../../app-state.js';
import { networkPrefixOf } from '../../network-of-address.js';
import { requestState } from '../../request-state.js';
import { CallAudit, type AuditedCall } from '../../../services/audit/call-audit.js';
import { isAudited } from '../../../services/audit/audited-scopes.js';
import { callDetails } from '../../../services/audit/call-details.js';
import { recordPseudonym } from '../../../services/audit/record-pseudonyms.js';
import { callerLabel } from '../caller-label.js';
import { toCrfError } from '../problems.js';
import { routeOf } from '../../route-of.js';
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

/** Returns the origin of an audit entry. */
export function marksOf(request: Request): { requestId: string; network: string } {
  return { requestId: requestState(request).id, network: networkPrefixOf(request.ip) };
}

/** Returns who asks, for what, and which scopes that requires. A page has no operation id, but method and path. */
export function askedOf(request: Request): Pick<AuditedCall, 'actor' | 'operation' | 'scopes' | 'policy'> {
  const { operation, scopes, seen } = requestState(request);
  return {
    operation: operation?.id ?? `${request.method} ${routeOf(request)}`,
    actor: callerLabel(request),
    scopes,
    policy: seen?.view.policy,
  };
}

/** Returns a function that converts any thrown value to the error for this request. */
export function errorFor(request: Request): (thrown: unknown) => CrfError {
  return (thrown) => {
    const error = toCrfError(thrown, request);
    error.requestId = requestState(request).id;
    return error;
  };
}
