import { LRUCache } from 'lru-cache';
import { hkdfSync, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { callsOf, composeClient } from '../client/compose-client.js';
import { UpstreamUnavailableError } from '../domain/errors/upstream-errors.js';
import { SCOPES } from '../domain/identifiers/scope.js';
import type { CallOptions, CrfClient } from '../gateways/redcap/crf-client.js';
import type { AppState, Projects } from '../http/app-state.js';
import { apiDocument } from '../http/openapi/api-document.js';
import type { ProjectParts, ViewService } from '../http/project-parts.js';
import type { BoundCaller, CallerViews } from '../policy/caller-views.js';
import { countedExport } from '../policy/counted-export.js';
import { restrict } from '../policy/restrict.js';
import { spareCallsOf } from '../records/import/chunk-sender.js';
import { RecordLeases } from '../records/import/record-leases.js';
import { Turns } from '../records/import/turns.js';
import { SentWorkbooks } from '../records/import/workbook/sent-workbooks.js';
import { DEFAULT_MIN_BYTES_PER_SECOND, type ReaderPaceOptions } from '../records/streaming/reader-pace.js';
import { AccessControl, OPEN_PROJECT_SCOPES } from '../services/access/access-control.js';
import { CrfService, type CrfServiceOptions } from '../services/crf-service.js';
import type { CountingClient } from '../services/export-manifests.js';
import { type Dependency, HealthService } from '../services/health-service.js';
import { MemoryIdempotencyStore } from '../services/idempotency/memory-idempotency-store.js';
import { ProjectStates } from '../services/project-states.js';
import { Pseudonyms } from '../services/pseudonyms.js';
import type { CreateAppOptions, ProjectOptions, ProjectsAppOptions } from './create-app-options.js';

/** The options of an application, whether of one project or of several. */
export type AppOptions = CreateAppOptions | ProjectsAppOptions;

/**
 * Creates the parts of an application that do not depend on the project.
 *
 * @param now returns the projects that it has now
 */
export function assembleState(options: AppOptions, projects: Projects, now = () => projects): AppState {
  const { access, auth } = options;
  return {
    access: new AccessControl({
      ...access,
      openScopes: options.sandbox === undefined ? OPEN_PROJECT_SCOPES : SCOPES,
      auth: auth?.service,
    }),
    auth: auth?.service,
    health: new HealthService(dependencies(options, now), { shared: options.shared?.health }),
    logger: options.logger ?? pino({ enabled: false }),
    trustedOrigins: auth?.trustedOrigins ?? [],
    isSandbox: options.sandbox !== undefined,
    takesCodes: auth?.takesCodes ?? false,
    hasReference: options.docs ?? false,
    helpUrl: options.helpUrl,
    audit: options.audit,
    pseudonymOf: 'projects' in options ? pseudonymsOf(options, undefined) : soleProject(projects).pseudonymOf,
  };
}

/**
 * Creates the parts of the projects of an application.
 *
 * @param before its projects so far: one with the same options stays as it is, with its caches, and one of which the
 *   plan of the study alone is another keeps what callers hold
 */
export function assembleProjects(options: AppOptions, before?: Projects): Projects {
  const workbooks = before?.workbooks ?? new SentWorkbooks();
  if (!('projects' in options)) {
    const known = before?.byName.get('');
    const pseudonymOf = known?.pseudonymOf ?? pseudonymsOf(options, options.pseudonymKey);
    const sole = assembleProject('', options, { ...options, workbooks }, pseudonymOf, known);
    const states = new ProjectStates(new Map([['', sole.check]]), { before: before?.states });
    return { byName: new Map([['', sole]]), default: '', states, workbooks };
  }
  const entries = Object.entries(options.projects).map(([name, project]) => {
    const known = before?.byName.get(name);
    if (known?.source === project) return [name, known] as const;
    const same =
      known !== undefined && differInStudyAlone(known.source as ProjectOptions, project) ? known : undefined;
    // Records have other pseudonyms in each project, so that nobody recognizes one in the log of another.
    const pseudonymOf = same?.pseudonymOf ?? new Pseudonyms(project.pseudonymKey ?? randomBytes(32)).of;
    return [name, assembleProject(name, project, { ...options, workbooks }, pseudonymOf, same)] as const;
  });
  const byName = new Map(entries);
  const checks = new Map(entries.map(([name, { check }]) => [name, check]));
  const ownFaultOf = (name: string) =>
    byName.get(name)?.audit?.isFailing === true ? ('audit_unavailable' as const) : undefined;
  const states = new ProjectStates(checks, { before: before?.states, ownFaultOf });
  return { byName, default: options.defaultProject, states, workbooks };
}

/** Whether two options of a project have everything in common but the plan of the study. */
function differInStudyAlone(one: ProjectOptions, other: ProjectOptions): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)] as (keyof ProjectOptions)[]);
  return [...names].every((name) => name === 'study' || one[name] === other[name]);
}

/** @param known the same project before the plan of its study was exchanged */
function assembleProject(
  name: string,
  project: ProjectOptions,
  options: AppOptions & Pick<Projects, 'workbooks'>,
  pseudonymOf: (subject: string) => string,
  known?: ProjectParts,
): ProjectParts {
  const { capture, policy, audit } = project;
  const held = known?.held ?? {
    cursorKey: project.cursorKey ?? randomBytes(32),
    idempotency: project.shared?.idempotency ?? new MemoryIdempotencyStore(),
    leases: new RecordLeases(project.shared?.leases),
    spareCalls: spareCallsOf(project.imports),
    designTurns: new Turns(),
  };
  const services = { ...serviceOptions(project, options), ...held, workbooks: options.workbooks };
  const views = policy && new ViewServices(capture, policy, services);
  return {
    name,
    source: project,
    crf: new CrfService(capture, services),
    calls: callsOf(capture),
    timeZone: project.timeZone,
    serviceOf: views && ((caller) => views.of(caller, { caller: caller.name })),
    audit,
    pseudonymOf,
    check:
      known?.check ??
      (async (call) => {
        const { title } = await capture.project.getInfo(call);
        await policy?.check(call);
        return title;
      }),
    held,
  };
}

function soleProject({ byName }: Projects): ProjectParts {
  const [sole] = byName.values();
  if (sole === undefined) throw new TypeError('An application has a project.');
  return sole;
}

function serviceOptions(
  project: ProjectOptions,
  { auth, files, limits = {} }: AppOptions,
): CrfServiceOptions {
  const { users, imports, timeZone, study, redcapUrl } = project;
  return {
    users,
    imports,
    fileLimitBytes: files?.limitBytes,
    pace: paceOf({ limits }),
    timeZone,
    study,
    redcapUrl,
    openApi: () => apiDocument(auth !== undefined).json,
  };
}

/** Returns the minimum speed of clients that read or send large bodies. */
export function paceOf({ limits = {} }: Pick<AppOptions, 'limits'>): ReaderPaceOptions {
  return {
    minBytesPerSecond: limits.exportMinBytesPerSecond ?? DEFAULT_MIN_BYTES_PER_SECOND,
    averagedOverMs: limits.exportPaceAveragedOverMs,
  };
}

/**
 * Uses the pseudonyms of the sign-in if there is one, so that a person has the same pseudonym everywhere. Otherwise the
 * pseudonyms, which are then only for records, have their own key.
 */
function pseudonymsOf({ auth }: AppOptions, key: Buffer | undefined): (subject: string) => string {
  if (auth !== undefined) return (subject) => auth.service.pseudonymOf(subject);
  return new Pseudonyms(key ?? randomBytes(32)).of;
}

/**
 * What readiness checks. While REDCap, Appwrite or Redis is away, a proxy must not remove all replicas at the same time,
 * because pages, errors and everything that does not need it still work. A replica that cannot write an audit log, of one
 * of several projects too, is different: it refuses every call that another replica may serve
 * (docs/decisions/0011-readiness.md).
 */
function dependencies(options: AppOptions, now: () => Projects): Dependency[] {
  const { auth, shared } = options;
  const audits = () =>
    new Set([options, ...now().byName.values()].flatMap(({ audit }) => (audit === undefined ? [] : [audit])));
  const isAway = { isEssential: false, isCheckedRarely: true };
  const policy = 'capture' in options ? options.policy : undefined;
  return [
    'capture' in options
      ? { name: 'redcap', ...isAway, check: (call) => options.capture.ping(call) }
      : {
          name: 'redcap',
          isEssential: false,
          isCheckedRarely: false,
          check: () => someAnswers(now().states),
        },
    ...(auth ? [{ name: 'identity', ...isAway, check: () => auth.service.checkReadiness() } as const] : []),
    ...(policy
      ? [{ name: 'policy', ...isAway, check: (call: CallOptions) => policy.check(call) } as const]
      : []),
    ...(shared
      ? [{ name: 'redis', isEssential: false, isCheckedRarely: false, check: () => shared.ping() } as const]
      : []),
    ...(audits().size > 0
      ? [
          {
            name: 'audit',
            isEssential: true,
            isCheckedRarely: false,
            check: () => Promise.all([...audits()].map((audit) => audit.checkWritable())),
          } as const,
        ]
      : []),
  ];
}

/** Of several projects, the probe tells only whether any answers: which ones do is for operators. */
async function someAnswers(states: ProjectStates): Promise<void> {
  const found = [...(await states.all()).values()];
  // A project whose audit log cannot be written says nothing of REDCap.
  if (found.every(({ status, reason }) => status === 'down' && reason !== 'audit_unavailable'))
    throw new UpstreamUnavailableError('first byte');
}

/** Services that are kept; whoever comes back after a thousand others gets a new one. */
const MAX_SERVICES = 1000;

/** The services of a project under a policy: one for each view, with its own caches, and cursors that no other reads. */
export class ViewServices {
  readonly #services = new LRUCache<string, Omit<ViewService, 'view'>>({ max: MAX_SERVICES });

  constructor(
    private readonly client: CrfClient,
    private readonly views: CallerViews,
    private readonly options: CrfServiceOptions & ProjectParts['held'],
  ) {}

  /** Returns the service of what a caller sees. @throws what `CallerViews.viewOf` throws */
  async of(caller: BoundCaller, call?: CallOptions): Promise<ViewService> {
    const view = await this.views.viewOf(caller, call);
    const known = this.#services.get(view.key);
    if (known !== undefined) return { view, ...known };
    const cursorKey = Buffer.from(hkdfSync('sha256', this.options.cursorKey, '', `view ${view.key}`, 32));
    const calls = callsOf(this.client);
    const shown = restrict(calls, view);
    const client = composeClient(shown);
    const counting = (): CountingClient | undefined => {
      const counted = countedExport(calls, view);
      return counted && { client: composeClient(counted.calls), manifest: counted.manifest };
    };
    // REDCap does not know the ids that a view makes up.
    const { recordId = 'kept' } = view.deidentify ?? {};
    const redcapUrl = recordId === 'kept' ? this.options.redcapUrl : undefined;
    const options = { ...this.options, cursorKey, redcapUrl, counting };
    const parts = { crf: new CrfService(client, options), calls: shown };
    // Ids that are random for each export make each view another one.
    if (view.deidentify?.recordId !== 'random') this.#services.set(view.key, parts);
    return { view, ...parts };
  }
}
