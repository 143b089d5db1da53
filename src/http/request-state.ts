import type { Request, Response } from 'express';
import type { CrfError } from '../domain/errors/crf-error.js';
import type { UpstreamAnswer } from '../domain/errors/upstream-errors.js';
import type { Caller } from '../services/access/access-control.js';
import type { CallAudit } from '../services/audit/call-audit.js';
import type { SessionUser } from '../services/auth/auth-types.js';
import type { Scope } from '../domain/identifiers/scope.js';
import type { Operation } from './api-operation.js';
import type { ProjectParts, ViewService } from './project-parts.js';
import type { TraceContext } from './trace-context.js';
import type { Format } from '../wire/answer.js';
import type { Parameters } from '../wire/parameters.js';

/** The user found by `sessionHook`, and their scopes. */
export interface HookSession {
  readonly user: SessionUser;
  readonly scopes: readonly Scope[];
}

/** A call of REDCap's own API. */
export interface DoorCall {
  /** The operation of the REST API for the same. */
  operation?: Operation | undefined;
  /** The format of an error. */
  returnFormat: Format;
  /** What was sent, once it has been read. */
  parameters?: Parameters;
  /** The status of an error, which is not always that of the REST API. */
  readonly statusOf: (error: CrfError) => number;
  /** Answers with an error, in REDCap's form. */
  readonly refuse: (response: Response, error: CrfError) => void;
}

/** The state of one request. Each part is set by one middleware and read by later ones. */
export class RequestState {
  /** The request id, in the log and in the response. */
  id = 'unknown';
  /** The position of the request in a trace, if the request has one. */
  trace: TraceContext | undefined;
  /** The path under which the service is mounted, or its project: `/projects/cohort`. Blank at the root. */
  base = '';
  /** The name of the project in the path; undefined for the default. */
  project: string | undefined;
  /** The project of the request, once it is known that its caller may use it. */
  entered: ProjectParts | undefined;
  /** The requested operation of the OpenAPI document; undefined for pages. */
  operation: Operation | undefined;
  /** The call of REDCap's API, if it is one: what it is about, once that is known. */
  door: DoorCall | undefined;
  /** The caller, determined once per request, however many security schemes a route has. */
  caller: Promise<Caller> | undefined;
  /** Who sends the request, for the logs, as soon as it is known: also if it is refused, such as for an expired key. */
  identified: (Pick<Caller, 'kind' | 'name'> & { readonly user?: SessionUser | undefined }) | undefined;
  /** What the caller sees, under policies; undefined before it is chosen, and without policies. */
  seen: ViewService | undefined;
  /** The scopes that the route requires; undefined if none were checked. */
  scopes: readonly string[] | undefined;
  /** Set by `sessionHook`; null without a valid session. */
  session: HookSession | null | undefined;
  /** The entries of this request in the audit log; undefined if there is no log. */
  audit: CallAudit | undefined;
  /** The code of the problem that was returned, if any. */
  problem: string | undefined;
  /** What REDCap, or a server in front of it, answered in the place of data. */
  upstream: UpstreamAnswer | undefined;
  /** What broke off an answer that had begun; undefined if its reader did. */
  brokenBy: CrfError | undefined;
  /** Whether it has been logged that a caller without a credential makes a change. */
  isOpenChange = false;
}

/** The key of a request property. A WeakMap was measured to be several times slower for each request. */
const STATE = Symbol('crf-service');

/** Returns the state of a request, initially empty. */
export function requestState(request: Request & { [STATE]?: RequestState }): RequestState {
  return (request[STATE] ??= new RequestState());
}

/** Returns the template of the route, such as `/api/v1/people/{email}`, never the path. Unknown paths are `unknown`. */
export function routeOf(request: Request): string {
  const route = request.route as { readonly path?: unknown } | undefined;
  return (
    requestState(request).operation?.template ?? (typeof route?.path === 'string' ? route.path : 'unknown')
  );
}

/** Returns the response to a request. Express links the two. */
export function responseOf({ res: response }: Request): Response {
  if (response === undefined) throw new TypeError('The request has no response.');
  return response;
}
