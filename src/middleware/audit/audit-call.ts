import type { Request } from 'express';
import { CrfError } from '../../errors/crf-error.js';
import { appState } from '../../http/app-state.js';
import { networkPrefixOf } from '../../http/network-of-address.js';
import { requestState } from '../../http/request-state.js';
import type { Caller } from '../../services/access/access-control.js';
import { isAudited } from '../../services/audit/audited-scopes.js';
import { CallAudit } from '../../services/audit/call-audit.js';
import { callDetails } from '../../services/audit/call-details.js';
import { callerLabel } from '../caller-label.js';
import { toCrfError } from '../problems.js';
import { holdAnswer } from './hold-answer.js';

/**
 * Writes a call to the audit log before its route runs, and holds its response until the end of the call is in the log
 * too. This runs for every route whose operation requires a scope; `isAudited` decides which are audited.
 *
 * @throws {AuditUnavailableError} the log cannot be written; nothing has been done
 */
export function auditCall(
  request: Request,
  caller: Caller,
  scopes: readonly string[],
): Promise<void> | undefined {
  const { audit } = appState(request.app);
  if (audit === undefined || !isAudited(scopes)) return undefined;
  // A route with two security schemes gets here twice, but is logged once.
  return (requestState(request).audited ??= enter(request, caller, scopes));
}

async function enter(request: Request, caller: Caller, scopes: readonly string[]): Promise<void> {
  const { audit, pseudonymOf } = appState(request.app);
  const { res: response } = request;
  if (audit === undefined || response === undefined) return;

  const call = new CallAudit(audit, {
    ...marksOf(request),
    operation: requestState(request).operation?.id,
    actor: callerLabel(caller, pseudonymOf),
    scopes,
    what: callDetails({ path: request.params ?? {}, query: request.query, body: request.body }, pseudonymOf),
  });
  await call.begin();
  requestState(request).auditNotes = call;
  const json = response.json.bind(response);
  response.json = (body: unknown) => {
    call.answered(body);
    return json(body);
  };
  holdAnswer(
    response,
    (end) =>
      call.end({
        status: response.statusCode,
        problem: requestState(request).problem,
        isAborted: end === 'aborted',
      }),
    errorFor(request),
  );
}

/** Logs a refusal because of the credential or its scopes, without waiting for the log. */
export function auditRefusal(request: Request, thrown: unknown, scopes: readonly string[]): void {
  const { audit } = appState(request.app);
  const state = requestState(request);
  if (audit === undefined || state.audited !== undefined || !(thrown instanceof CrfError)) return;
  state.audited = Promise.resolve();
  audit.note({
    event: 'call.refused',
    ...marksOf(request),
    operation: state.operation?.id,
    scopes,
    outcome: 'refused',
    status: thrown.status,
    reason: thrown.code,
  });
}

/** Returns the origin of an audit entry. */
export function marksOf(request: Request): { requestId: string; network: string } {
  return { requestId: requestState(request).id, network: networkPrefixOf(request.ip) };
}

/** Returns a function that converts any thrown value to the error for this request. */
export function errorFor(request: Request): (thrown: unknown) => CrfError {
  return (thrown) => {
    const error = toCrfError(thrown);
    error.requestId = requestState(request).id;
    return error;
  };
}
