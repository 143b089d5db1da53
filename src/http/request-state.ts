import type { Request } from 'express';
import type { Caller } from '../services/access/access-control.js';
import type { AuditNotes } from '../services/audit/audit-entry.js';
import type { SessionUser } from '../services/auth/auth-types.js';
import type { Scope } from '../services/access/scope.js';
import type { Operation } from './operation.js';
import type { TraceContext } from './trace-context.js';

/** The person that `sessionHook` found, and what they may do. */
export interface HookSession {
  readonly user: SessionUser;
  readonly scopes: readonly Scope[];
}

/** What this package knows of one request: each part is set by one middleware and read by those behind it. */
export interface RequestState {
  /** The request id, in the log and on the answer. */
  id: string;
  /** Where the request stands in a trace, if it says so. */
  trace: TraceContext | undefined;
  /** The operation of the OpenAPI document that is asked for; undefined for pages. */
  operation: Operation | undefined;
  /** Who calls, once somebody has asked: whatever the number of security schemes a route names. */
  caller: Promise<Caller> | undefined;
  /** Set by `sessionHook`; null without a valid session. */
  session: HookSession | null | undefined;
  /** Resolves when the call is in the audit log; of a call that is not audited undefined. */
  audited: Promise<void> | undefined;
  /** Where to take down for the audit log what the call has done. */
  auditNotes: AuditNotes | undefined;
  /** The code of the problem that was answered. */
  problem: string | undefined;
}

/** A property of the request: a WeakMap was measured to cost several times as much at every request. */
const STATE = Symbol('crf-service');

/** @returns the state of a request; an empty one when nothing was set yet */
export function requestState(request: Request & { [STATE]?: RequestState }): RequestState {
  return (request[STATE] ??= {
    id: 'unknown',
    trace: undefined,
    operation: undefined,
    caller: undefined,
    session: undefined,
    audited: undefined,
    auditNotes: undefined,
    problem: undefined,
  });
}
