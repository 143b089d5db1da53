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
 * Enters a call into the audit log before its route runs, and holds its answer until the log has its end, too. Every route
 * passes here whose operation asks for a scope; which are audited, `isAudited` says.
 *
 * @throws {AuditUnavailableError} the log cannot be written: nothing has been done
 */
export function auditCall(
  request: Request,
  caller: Caller,
  scopes: readonly string[],
): Promise<void> | undefined {
  const { audit } = appState(request.app);
  if (audit === undefined || !isAudited(scopes)) return undefined;
  // A route that names two security schemes is asked twice, and entered once.
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

/** Enters a refusal for the credential or the scopes. Nobody waits for it. */
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

/** Where an entry comes from. */
export function marksOf(request: Request): { requestId: string; network: string } {
  return { requestId: requestState(request).id, network: networkPrefixOf(request.ip) };
}

/** @returns how whatever was thrown becomes the answer of this request */
export function errorFor(request: Request): (thrown: unknown) => CrfError {
  return (thrown) => {
    const error = toCrfError(thrown);
    error.requestId = requestState(request).id;
    return error;
  };
}
