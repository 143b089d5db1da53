import type { Request } from 'express';
import { requestState } from '../http/request-state.js';
import { responseOf } from '../http/response-of.js';
import type { Caller } from '../services/access/access-control.js';
import type { AuditedOptions } from '../records/audit-notes.js';
import type { RequestKey } from '../services/idempotency/count-once.js';
import type { Scope } from '../identifiers/scope.js';

/**
 * Returns the options that a request passes to the services: a signal that fires when the client disconnects before it
 * has its response (STR-04), the name of the caller, who gets a fair share of the calls to REDCap (UP-05), and the
 * notes that services take for the audit log.
 */
export function callOptions(request: Request): AuditedOptions {
  const { res: response } = request;
  const controller = new AbortController();
  response?.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return {
    signal: controller.signal,
    caller: callerName(request),
    traceparent: requestState(request).trace?.traceparent,
    audit: requestState(request).audit,
  };
}

/**
 * Returns what makes a request safe to repeat: its key, which belongs to the caller. A response that is not the first
 * one has the header `Idempotent-Replayed: true`.
 */
export function requestKey(request: Request, idempotencyKey: string | undefined): RequestKey {
  const onReplay = (): void => void responseOf(request).setHeader('Idempotent-Replayed', 'true');
  return { idempotencyKey, scope: callerName(request), onReplay };
}

/** Returns the name of the caller, as set by authentication. */
function callerName(request: Request): string {
  const { user } = request as Request & { readonly user?: Caller };
  return user?.name ?? 'anonymous';
}

/** Returns the scopes of the caller of a route with `@Security`. */
export function scopesOf(request: Request): readonly Scope[] {
  const { user } = request as Request & { readonly user?: Caller };
  return user?.scopes ?? [];
}
