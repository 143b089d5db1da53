import type { Application, Request } from 'express';
import type { Logger } from 'pino';
import { NotInPolicyError } from '../errors/caller-errors.js';
import type { BoundCaller } from '../policy/caller-views.js';
import type { ProjectView } from '../policy/project-view.js';
import type { AccessControl } from '../services/access/access-control.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import { enteredFirst } from '../services/audit/entered-first.js';
import type { Auth } from '../services/auth/auth-types.js';
import type { CrfService } from '../services/crf-service.js';
import type { HealthService } from '../services/health-service.js';
import { requestState } from './request-state.js';

/** The parts of one application, whatever the project, so that several applications in one process share nothing. */
export interface AppState {
  readonly access: AccessControl;
  readonly auth: Auth | undefined;
  readonly health: HealthService;
  readonly logger: Logger;
  /** The origins from which a browser may send requests that change data (CSRF-01). */
  readonly trustedOrigins: readonly string[];
  readonly isSandbox: boolean;
  /** Whether the reference page is served. */
  readonly hasReference: boolean;
  /** The mail or web address where people find help. */
  readonly helpUrl: string | undefined;
}

/** The service of what a caller sees. */
export interface ViewService {
  readonly view: ProjectView;
  readonly crf: CrfService;
}

/** The parts of one project: what its requests are answered with and logged in. */
export interface ProjectParts {
  /** The service of the whole project, for an application without policies. */
  readonly crf: CrfService;
  /** Returns the service of what a caller sees, under policies. */
  readonly serviceOf?: ((caller: BoundCaller) => Promise<ViewService>) | undefined;
  /** The audit log; undefined if there is none. */
  readonly audit: AuditTrail | undefined;
  /** Returns the pseudonym of a person or record in the logs of the project. */
  readonly pseudonymOf: (subject: string) => string;
}

/** What an application answers a request with. */
interface Parts {
  readonly state: AppState;
  readonly project: ProjectParts;
}

const PARTS = new WeakMap<object, Parts>();

/** Gives an application its parts. Only `crfOf` gives the service out. */
export function setAppState(app: Application, state: AppState, project: ProjectParts): void {
  PARTS.set(app, { state, project });
}

/**
 * Chooses the parts for a request: the only place that does, for the generated routes, pages and middleware alike. An
 * application has one project; what a caller sees of it, `chooseView` decides.
 */
function partsFor({ app }: Request): Parts {
  const parts = PARTS.get(app);
  if (parts === undefined) throw new TypeError('The application has no state: createApp sets it.');
  return parts;
}

/** Returns the parts of the application that answer a request. */
export function appState(request: Request): AppState {
  return partsFor(request).state;
}

/** Returns the logs of the project of a request. */
export function projectLogsOf(request: Request): Pick<ProjectParts, 'audit' | 'pseudonymOf'> {
  return partsFor(request).project;
}

/**
 * Returns the service for a request. Its operations on data run only after the call is in the audit log, if the
 * application has one.
 *
 * @throws {NotInPolicyError} under policies, nothing was chosen for the caller
 */
export function crfOf(request: Request): CrfService {
  const { project } = partsFor(request);
  const { audit, seen } = requestState(request);
  const crf = project.serviceOf === undefined ? project.crf : seen?.crf;
  if (crf === undefined) throw new NotInPolicyError();
  return audit === undefined || audit.isBegun ? crf : enteredFirst(crf, () => audit.begin());
}

/**
 * Chooses what the caller of a request sees, under policies; `crfOf` gives out nothing before.
 *
 * @throws {NotInPolicyError} no policy is for the caller
 * @throws {PolicyInvalidError} the policy does not fit the project
 */
export async function chooseView(request: Request, caller: BoundCaller): Promise<void> {
  const { serviceOf } = partsFor(request).project;
  if (serviceOf !== undefined) requestState(request).seen ??= await serviceOf(caller);
}

/** Returns the parts of an application, for the process that runs it; undefined if `createApp` did not make it. */
export function stateOf(app: object): AppState | undefined {
  return PARTS.get(app)?.state;
}
