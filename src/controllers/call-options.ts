import type { Request } from 'express';
import { requestState } from '../http/request-state.js';
import type { Caller } from '../services/access/access-control.js';
import type { AuditedOptions } from '../services/audit/audit-entry.js';
import type { Scope } from '../services/access/scope.js';

/**
 * What a request hands to the services: a signal that fires when its client goes away before it has its answer
 * (STR-04), whose turn it is in front of REDCap (UP-05), and where they take down for the audit log what they did.
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
    audit: requestState(request).auditNotes,
  };
}

/** @returns the caller's name, as authentication has put it on the request */
export function callerName(request: Request): string {
  const { user } = request as Request & { readonly user?: Caller };
  return user?.name ?? 'anonymous';
}

/** @returns what the caller of a route with `@Security` may do */
export function scopesOf(request: Request): readonly Scope[] {
  const { user } = request as Request & { readonly user?: Caller };
  return user?.scopes ?? [];
}
