import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { ProjectOptions, SharedStateSettings } from '../app/create-app-options.js';
import { createCrfClient } from '../client/create-crf-client.js';
import { ConfigurationError } from '../domain/errors/operator-errors.js';
import { ApiToken } from '../domain/identifiers/api-token.js';
import type { CallObserver } from '../gateways/redcap/observe.js';
import type { CallCeiling } from '../gateways/redcap/resilience/minute-ceiling.js';
import { LOCAL_RESILIENCE, type ResilienceState } from '../gateways/redcap/resilience/resilience-options.js';
import { SharedHost } from '../gateways/redcap/resilience/shared-host.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import { CallerViews, type PolicyFiles } from '../policy/caller-views.js';
import { transformsOf } from '../policy/deidentify/transforms.js';
import { loadPolicyFiles } from '../policy/load-policy-files.js';
import type { IdempotentResult } from '../services/idempotency/idempotency-store.js';
import type { StudyOptions } from '../services/summary/study-options.js';
import { thisProgram } from '../services/this-program.js';
import { Cleanup } from './cleanup.js';
import type { ServedProjects, Settings } from './config/settings.js';
import { cursorKeyFrom, pseudonymKeysOf, viewSecretFrom } from './derived-keys.js';
import type { ServiceMetrics, WatchedCalls } from './metrics/service-metrics.js';
import { observerOf } from './observe.js';
import { type AuditOptions, type OpenAudit, openAudit } from './open-audit.js';
import { openStudy } from './open-study.js';
import { ProjectNumber } from './project-number.js';
import { SecretRotation, usesOf } from './secret-rotation.js';
import type { Sandboxes } from './start-sandboxes.js';

/** What a project is opened with, besides its settings. */
interface ProjectSurroundings {
  /** Its REDCap, or the sandbox. */
  readonly capture: { readonly url: string; readonly token: string | ApiToken };
  readonly resilience: ResilienceState;
  readonly shared: SharedState | undefined;
  readonly audit: OpenAudit | undefined;
  readonly observer: CallObserver | undefined;
}

/** A project that an application can serve. Its client has to be closed. */
export interface OpenedProject {
  readonly number: ProjectNumber;
  readonly options: ProjectOptions;
  /** Reads the policy and its lock again. @returns what puts them to use @throws {ConfigurationError} one cannot be used */
  readonly preparePolicy: (() => Promise<() => void>) | undefined;
}

/**
 * Opens a project: its client, its policy, and the options that the application needs.
 *
 * @throws {ConfigurationError} its policy or the file of its study cannot be used
 */
async function openProject(
  settings: Settings,
  { capture, resilience, shared, audit, observer }: ProjectSurroundings,
): Promise<OpenedProject> {
  const { policyFile, recordKey: pseudonymKey } = settings;
  const clientOf = (token: ApiToken | string) =>
    createCrfClient({ ...capture, token, ...settings.client, shared: resilience, observer });
  const client = clientOf(capture.token);
  try {
    const load = policyFile === undefined ? undefined : () => loadServedPolicy(policyFile, pseudonymKey);
    const viewSecret = viewSecretFrom(settings.capture?.token);
    const policy = load && new CallerViews(client, await load(), viewSecret, { pseudonymKey });
    return {
      options: {
        ...settings.project,
        capture: client,
        policy,
        study: await openStudy(settings),
        redcapUrl: settings.capture?.url,
        audit: audit?.trail,
        pseudonymKey: pseudonymKeysOf(settings)[0],
        cursorKey: settings.capture && cursorKeyFrom(settings.capture.token),
        shared: sharedSettingsOf(shared),
      },
      preparePolicy:
        load &&
        (async () => {
          const files = await load();
          return () => policy?.replace(files);
        }),
      number: new ProjectNumber(client, clientOf),
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Returns what an application, or a project of it, keeps in Redis; undefined without it. */
export function sharedSettingsOf(shared: SharedState | undefined): SharedStateSettings | undefined {
  return (
    shared && {
      idempotency: shared.idempotencyStore<IdempotentResult>(),
      leases: shared.leases(),
      health: shared.keyValueStore('health'),
      ping: () => shared.ping(),
    }
  );
}

/**
 * Reads a policy file and its lock as a service has to have them, which must not start without them.
 *
 * @throws {ConfigurationError} one of them cannot be used, or what they need is not set
 */
export async function loadServedPolicy(path: string, recordKey: Settings['recordKey']): Promise<PolicyFiles> {
  const files = await loadPolicyFiles(path);
  const isNeeded = Object.values(files.set.policies).some((policy) => transformsOf(policy) !== undefined);
  if (isNeeded && recordKey === undefined)
    throw new ConfigurationError([
      {
        field: 'PSEUDONYM_KEY',
        message:
          'is needed by a policy that de-identifies: create one with openssl rand -hex 32, and keep it',
      },
    ]);
  // For manifests: read before an upgrade can put other code there than what runs.
  if (isNeeded) await thisProgram();
  return files;
}

/** What all projects of a process have in common. */
export interface CommonParts {
  readonly shared: SharedState | undefined;
  readonly metrics: ServiceMetrics | undefined;
  readonly logger: Logger;
  readonly audit: AuditOptions;
  /** What is known of each REDCap, by its host. */
  readonly hosts: Map<string, SharedHost>;
  /** The audit logs by project, each of which only one may write. */
  readonly audits: Map<string, OpenAudit>;
}

/** A project of a process, with what belongs to it alone. */
export interface ServedProject extends OpenedProject {
  /** Another object once the plan of its study is exchanged. */
  options: ProjectOptions;
  readonly settings: Settings;
  /** Exchanges the token when its file changes; undefined if that of the process does. */
  readonly tokens: SecretRotation | undefined;
  /** The ceiling of calls to its REDCap. */
  readonly calls: WatchedCalls;
  /** Reads no file any more, and lets calls under way end. */
  retire(): void;
  /** Ends its calls, and closes what belongs to it alone, except for its audit log. */
  close(): Promise<void>;
}

/**
 * Opens the projects of a process. Those of one REDCap share the ceiling and the turns of its calls; everything else,
 * from the token to the audit log, each has for itself.
 *
 * @param before projects that are open: one whose settings have not changed stays as it is, but for the plan of its study
 * @throws {ConfigurationError} the policy, the study or the audit log of one cannot be used; then nothing has changed
 */
export async function openProjects(
  { byName }: ServedProjects,
  parts: CommonParts,
  before: ReadonlyMap<string, ServedProject> = new Map(),
): Promise<Map<string, ServedProject>> {
  const { hosts, metrics, audits } = parts;
  const hostNames = [...byName.values()].map(hostOf);
  const projectsAt = (host: string): number => hostNames.filter((each) => each === host).length;
  const opened = new Map<string, ServedProject>();
  const studies = new Map<ServedProject, StudyOptions>();
  try {
    for (const [name, settings] of byName)
      await namingProject(name, async () => {
        const known = before.get(name);
        const isKept = known !== undefined && isSame(known.settings, settings);
        if (isKept) studies.set(known, await openStudy(settings));
        const projects = projectsAt(hostOf(settings));
        opened.set(
          name,
          isKept ? known : await openServed(name, settings, parts, { projects, before: known }),
        );
      });
  } catch (error) {
    for (const [name, project] of opened) if (before.get(name) !== project) await project.close();
    for (const name of audits.keys()) if (!before.has(name)) await closeAudit(audits, name);
    throw error;
  }
  for (const [project, study] of studies)
    if (!isDeepStrictEqual(project.options.study, study)) project.options = { ...project.options, study };
  for (const [name, host] of hosts) if (hostNames.includes(name)) host.projects = projectsAt(name);
  metrics?.watch({
    calls: new Map([...opened.values()].map(({ settings, calls }) => [hostOf(settings), calls])),
    projects: new Set(opened.keys()),
  });
  return opened;
}

/** Closes the audit log of a project that is no longer served. */
export async function closeAudit(audits: Map<string, OpenAudit>, name: string): Promise<void> {
  const audit = audits.get(name);
  audits.delete(name);
  await audit?.close();
}

/** What the only project of a process has. */
interface SoleParts extends Pick<CommonParts, 'shared' | 'metrics' | 'logger'> {
  readonly sandboxes: Sandboxes | undefined;
  readonly audit: OpenAudit | undefined;
}

/** Opens the only project of a process, whose audit log is that of the process. */
export async function openSole(
  settings: Settings,
  { sandboxes, shared, metrics, audit, logger }: SoleParts,
): Promise<ServedProject> {
  const { resilience, calls } = watched(shared?.resilience ?? LOCAL_RESILIENCE, settings);
  metrics?.watch({ calls: new Map([['', calls]]) });
  const opened = await openProject(settings, {
    capture: settings.capture ?? sandboxes?.capture ?? { url: '', token: '' },
    ...{ resilience, shared, audit },
    observer: observerOf(metrics, audit?.trail, logger),
  });
  const close = (): Promise<void> => Promise.resolve(opened.options.capture.close());
  return { ...opened, settings, tokens: undefined, calls, retire: () => undefined, close };
}

async function openServed(
  name: string,
  settings: Settings,
  { shared, metrics, logger, audit: auditOptions, hosts, audits }: CommonParts,
  { projects, before }: { readonly projects: number; readonly before: ServedProject | undefined },
): Promise<ServedProject> {
  const closing = new Cleanup();
  try {
    const host = hosts.get(hostOf(settings)) ?? new SharedHost();
    hosts.set(hostOf(settings), host);
    const ownLogger = logger.child({ project: name });
    const audit =
      audits.get(name) ?? (await openAudit(settings, { ...auditOptions, logger: ownLogger, project: name }));
    if (audit !== undefined) audits.set(name, audit);
    const { capture = await sandboxOf(settings, closing) } = settings;
    const ownState = shared?.ofProject({
      keyPrefix: settings.redis?.keyPrefix,
      secret: ApiToken(capture.token).reveal(),
      host: new URL(capture.url).host,
      projects,
    });
    const { resilience, calls } = watched(host.of(name, ownState?.resilience), settings);
    const opened = await openProject(settings, {
      ...{ capture, audit, shared: ownState, resilience },
      observer: observerOf(metrics, audit?.trail, ownLogger, name),
    });
    closing.add(() => opened.options.capture.close());
    await refuseOtherProject(settings, opened, before);
    const files = settings.secretFiles.filter((file) => file.name === 'CAPTURE_API_TOKEN');
    const tokens = new SecretRotation(files, usesOf(settings, [], opened), ownLogger);
    closing.add(() => tokens.stop());
    // A sandbox would listen on.
    const retire = (): void => (settings.capture === undefined ? void closing.run() : tokens.stop());
    return { ...opened, settings, tokens, calls, retire, close: async () => void (await closing.run()) };
  } catch (error) {
    await closing.run();
    throw error;
  }
}

/** Knows the ceiling on calls that a client makes of its state, so that its use can be shown to operators. */
function watched(
  state: ResilienceState,
  { client }: Settings,
): { readonly resilience: ResilienceState; readonly calls: WatchedCalls } {
  let made: CallCeiling | undefined;
  return {
    resilience: { ...state, ceiling: (...options) => (made = state.ceiling(...options)) },
    calls: { limit: client.resilience.callsPerMinute, used: async () => (await made?.used()) ?? 0 },
  };
}

/** Lets the mistakes of a project name it. */
export async function namingProject<Opened>(name: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const ofProject = error.errors.map(({ field, message }) => ({
      field: 'PROJECTS_FILE',
      message: `projects.${name}: ${field} ${message}`,
    }));
    throw new ConfigurationError(ofProject, { cause: error });
  }
}

/**
 * Refuses a token in another place that is of another project, if the file of projects leaves a project where it was.
 *
 * @throws {ConfigurationError}
 */
async function refuseOtherProject(
  { capture }: Settings,
  { number }: OpenedProject,
  before: ServedProject | undefined,
): Promise<void> {
  const known = before?.settings.capture;
  if (before === undefined || capture === undefined || known?.url !== capture.url) return;
  if (known.token.reveal() !== capture.token.reveal()) {
    const refusal = await before.number.refusalOf(capture.token);
    if (refusal !== undefined)
      throw new ConfigurationError([{ field: 'CAPTURE_API_TOKEN', message: refusal.rule }]);
  }
  number.isThatOf(before.number);
}

/** Whether a project can stay open with other settings. The token of a file may have been exchanged in its place. */
export function isSame(one: Settings, other: Settings): boolean {
  const marksOf = ({ capture, secretFiles, ...settings }: Settings) => {
    const file = secretFiles.find(({ name }) => name === 'CAPTURE_API_TOKEN');
    const { project, client, projectName, policyFile, studyFile, sandbox } = settings;
    const where = [capture?.url, file?.path ?? capture?.token.reveal()];
    return [project, client, projectName, policyFile, studyFile, sandbox, where];
  };
  return isDeepStrictEqual(marksOf(one), marksOf(other));
}

async function sandboxOf({ sandbox: study }: Settings, closing: Cleanup) {
  const { startProjectSandbox } = await import('./start-sandboxes.js');
  const sandbox = await startProjectSandbox(study);
  closing.add(() => sandbox.close());
  return { url: sandbox.url, token: sandbox.token };
}

/** Each sandbox is a host of its own. */
function hostOf({ capture, projectName }: Settings): string {
  return capture === undefined ? `sandbox of ${projectName}` : new URL(capture.url).host;
}
