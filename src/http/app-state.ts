import type { Application, Request } from 'express';
import { ProblemError } from '../domain/errors/problem-error.js';
import type { Logger } from 'pino';
import { NotInPolicyError } from '../domain/errors/access-errors.js';
import { CrfError } from '../domain/errors/crf-error.js';
import type { CrfCalls } from '../gateways/redcap/crf-client.js';
import type { Scope } from '../domain/identifiers/scope.js';
import type { BoundCaller } from '../policy/caller-views.js';
import { grantsOf, type Grants } from '../policy/grants.js';
import type { SentWorkbooks } from '../records/import/workbook/sent-workbooks.js';
import type { AccessControl, Member } from '../services/access/access-control.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import { enteredFirst } from '../services/audit/entered-first.js';
import type { Auth } from '../services/auth/auth-types.js';
import type { CrfService } from '../services/crf-service.js';
import type { HealthService } from '../services/health-service.js';
import type { ProjectState, ProjectStates } from '../services/project-states.js';
import type { ProjectParts, ViewService } from './project-parts.js';
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
  /** Whether a link can sign in another device by a code. */
  readonly takesCodes: boolean;
  /** Whether the reference page is served. */
  readonly hasReference: boolean;
  /** The mail or web address where people find help. */
  readonly helpUrl: string | undefined;
  /** The audit log of sign-ins and refusals; undefined if there is none. */
  readonly audit: AuditTrail | undefined;
  /** Returns the pseudonym of a person in every log. */
  readonly pseudonymOf: (subject: string) => string;
}

/** The projects of an application. One that has a single project knows it as the default, by a blank name. */
export interface Projects {
  readonly byName: ReadonlyMap<string, ProjectParts>;
  /** The project of a path without a prefix; undefined if every path has to name one. */
  readonly default: string | undefined;
  /** Which of them answer. */
  readonly states: ProjectStates;
  /** The reader of workbooks of the process. */
  readonly workbooks: SentWorkbooks;
}

/** What an application answers a request with. */
interface Parts {
  readonly state: AppState;
  readonly projects: Projects;
}

const PARTS = new WeakMap<object, Parts>();

/** Gives an application its parts. Only `crfOf` gives the service out. */
export function setAppState(app: Application, state: AppState, projects: Projects): void {
  PARTS.set(app, { state, projects });
}

/** Chooses the parts for a request: the only place that does, for the generated routes, pages and middleware alike. */
function partsFor({ app }: Request): Parts {
  const parts = PARTS.get(app);
  if (parts === undefined) throw new TypeError('The application has no state: createApp sets it.');
  return parts;
}

/** Returns the parts of the application that answer a request. */
export function appState(request: Request): AppState {
  return partsFor(request).state;
}

/** Returns the logs of the project of a request, or those of the application if it has no such project. */
export function projectLogsOf(request: Request): Pick<ProjectParts, 'audit' | 'pseudonymOf'> {
  const { state, projects } = partsFor(request);
  return projects.byName.get(nameOf(request, projects) ?? '') ?? state;
}

/**
 * Chooses the project of a request: the one in front of its path, or the default, if the caller may use it.
 *
 * @returns the caller, with the scopes that they have in the project
 * @throws {ProblemError} `project_required`: the path names none, and there is no default
 * @throws {ProblemError} `project_not_found`: there is none of this name, or it is not theirs
 */
export function enterProject<Who extends Member>(request: Request, caller: Who): Who {
  const { state, projects } = partsFor(request);
  const name = nameOf(request, projects);
  if (name === undefined) throw new ProblemError('project_required');
  const scopes = state.access.scopesIn(caller, name, name === projects.default);
  const project = projects.byName.get(name);
  if (scopes === undefined || project === undefined) throw new ProblemError('project_not_found');
  requestState(request).entered = project;
  return scopes === caller.scopes ? caller : { ...caller, scopes };
}

/** Tells whether the project that a request has entered is no longer served. */
export function isTakenOut(request: Request): boolean {
  const { entered } = requestState(request);
  return entered !== undefined && !partsFor(request).projects.byName.has(entered.name);
}

/** Returns the projects that a caller may use, in the order of the configuration. */
export function projectsOf(request: Request, caller: Member): ProjectParts[] {
  const { state, projects } = partsFor(request);
  return [...projects.byName.values()].filter(
    ({ name }) => state.access.scopesIn(caller, name, name === projects.default) !== undefined,
  );
}

/** A project that the caller may use. */
export interface ProjectEntry {
  /** Its name in paths: `/projects/{name}`; blank in a service of one project, whose paths name none. */
  readonly name: string;
  /** Its title in REDCap, as soon as it is known, for callers with the scope `project:read`. */
  readonly title?: string;
  /** Whether REDCap answered the last question about it, at most a few minutes ago; `unknown` before the first. */
  readonly status: ProjectState['status'];
  /** Whether paths without the name of a project lead to it. */
  readonly isDefault: boolean;
}

/** Returns the projects that a caller may use, with what is known of them. */
export async function projectListOf(request: Request, caller: Member): Promise<ProjectEntry[]> {
  const { state, projects } = partsFor(request);
  const names = projectsOf(request, caller).map(({ name }) => name);
  const states = await projects.states.of(names);
  return names.map((name) => {
    const { status = 'unknown', title } = states.get(name) ?? {};
    const isDefault = name === projects.default;
    const mayRead = state.access.scopesIn(caller, name, isDefault)?.includes('project:read') ?? false;
    return { name, ...(mayRead && title !== undefined && { title }), status, isDefault };
  });
}

/**
 * What a caller may do in a project: what their scopes and their policy allow, both together. Where the policy cannot be
 * told, `problem` has the code of the error that the routes of the project answer with.
 */
export interface ProjectRights extends Partial<Grants> {
  /** The name of the project; blank in a service of one. */
  readonly project: string;
  readonly scopes: readonly Scope[];
  /**
   * Why the caller sees nothing of the project.
   * @example "not_in_policy"
   */
  readonly problem?: string;
}

/**
 * Returns what a caller may do in each of their projects that has policies: rights are the scopes and the policy together.
 * A project whose policy cannot be told now, such as while REDCap is away, has the code of the problem instead.
 */
export function rightsOf(request: Request, caller: BoundCaller & Member): Promise<ProjectRights[]> {
  const { state, projects } = partsFor(request);
  return Promise.all(
    projectsOf(request, caller).flatMap(({ name, serviceOf }) => {
      if (serviceOf === undefined) return [];
      const scopes = state.access.scopesIn(caller, name, name === projects.default) ?? [];
      const found = serviceOf(caller).then(
        ({ view }): Partial<ProjectRights> => grantsOf(view),
        (error: unknown) => {
          if (!(error instanceof CrfError)) throw error;
          return { problem: error.code };
        },
      );
      return [found.then((rights) => ({ project: name, scopes, ...rights }))];
    }),
  );
}

/** Returns the name under which the calls of a caller are counted: in each of their projects apart. */
export function quotaOf(request: Request, caller: Member): string {
  const { state, projects } = partsFor(request);
  const name = nameOf(request, projects) ?? '';
  const isTheirs = state.access.scopesIn(caller, name, name === projects.default) !== undefined;
  // Only configured names: others would tell which ones exist, and fill the memory.
  return name !== '' && isTheirs && projects.byName.has(name) ? `${name}/${caller.name}` : caller.name;
}

/**
 * Returns the time zone of the project that a request has entered, or that of the default project on a page of none, such
 * as the account.
 *
 * @returns undefined if it is not known
 */
export function timeZoneOf(request: Request): string | undefined {
  const { byName, default: name } = partsFor(request).projects;
  const project = requestState(request).entered ?? (name === undefined ? undefined : byName.get(name));
  return project?.timeZone;
}

function nameOf(request: Request, projects: Projects): string | undefined {
  return requestState(request).project ?? projects.default;
}

/**
 * Returns the service for a request. Its operations on data run only after the call is in the audit log, if the
 * application has one.
 *
 * @throws {ProblemError} `project_required`: no project was chosen with `enterProject`
 * @throws {NotInPolicyError} under policies, nothing was chosen for the caller
 */
export function crfOf(request: Request): CrfService {
  return seenBy(request, ({ crf }) => crf);
}

/** Returns the calls of REDCap's API for a request, which are entered as the operations of `crfOf` are. */
export function callsOf(request: Request): CrfCalls {
  return seenBy(request, ({ calls }) => calls);
}

function seenBy<Part extends object>(
  request: Request,
  choose: (parts: Pick<ViewService, 'crf' | 'calls'>) => Part,
): Part {
  const { audit, seen, entered } = requestState(request);
  if (entered === undefined) throw new ProblemError('project_required');
  const parts = entered.serviceOf === undefined ? entered : seen;
  if (parts === undefined) throw new NotInPolicyError();
  const part = choose(parts);
  return audit === undefined || audit.isBegun ? part : enteredFirst(part, () => audit.begin());
}

/**
 * Chooses what the caller of a request sees of the project that they have entered, under policies; `crfOf` gives out
 * nothing before.
 *
 * @throws {NotInPolicyError} no policy is for the caller
 * @throws {PolicyInvalidError} the policy does not fit the project
 */
export async function chooseView(request: Request, caller: BoundCaller): Promise<void> {
  const state = requestState(request);
  const serviceOf = state.entered?.serviceOf;
  if (serviceOf !== undefined) state.seen ??= await serviceOf(caller);
}

/** Returns the parts of an application, for the process that runs it; undefined if `createApp` did not make it. */
export function stateOf(app: object): AppState | undefined {
  return PARTS.get(app)?.state;
}

/** Returns the projects of an application; undefined if `createApp` did not make it. */
export function allProjectsOf(app: object): Projects | undefined {
  return PARTS.get(app)?.projects;
}

/** Returns which projects of an application answer; undefined if it has a single one. */
export function projectStatesOf(app: object): ProjectStates | undefined {
  const projects = allProjectsOf(app);
  return projects?.byName.has('') ? undefined : projects?.states;
}
