import type { Logger } from 'pino';
import type { ServedProjects, Settings } from '../config/settings.js';
import { LOCAL_RESILIENCE } from '../gateways/redcap/resilience/resilience-state.js';
import { SharedHost } from '../gateways/redcap/resilience/shared-host.js';
import { ConfigurationError } from '../errors/operator-errors.js';
import type { SharedState } from '../gateways/redis/shared-state.js';
import { ApiToken } from '../identifiers/api-token.js';
import type { ServiceMetrics } from '../metrics/service-metrics.js';
import { Cleanup } from './cleanup.js';
import { observerOf } from './observe.js';
import { openAudit, type AuditOptions, type OpenAudit } from './open-audit.js';
import { openProject, type OpenedProject } from './open-project.js';
import { SecretRotation, usesOf } from './secret-rotation.js';
import type { Sandboxes } from './start-sandboxes.js';
import { WatchedCeiling } from './watched-ceiling.js';

/** What all projects of a process have in common. */
export interface CommonParts {
  readonly shared: SharedState | undefined;
  readonly metrics: ServiceMetrics | undefined;
  readonly logger: Logger;
  readonly audit: AuditOptions;
  /** What is known of each REDCap, by its host. */
  readonly hosts: Map<string, SharedHost>;
}

/** One of several projects. */
export interface ServedProject extends OpenedProject {
  /** Reads the file of the token again; undefined without one. */
  readonly rereadToken: (() => Promise<void>) | undefined;
  /** Ends its calls, and closes what belongs to it alone. */
  close(): Promise<void>;
}

/**
 * Opens the projects of a process. Those of one REDCap share the ceiling and the turns of its calls; everything else,
 * from the token to the audit log, each has for itself.
 *
 * @throws {ConfigurationError} the policy or the audit log of one cannot be used; then none stays open
 */
export async function openProjects(
  { byName }: ServedProjects,
  parts: CommonParts,
): Promise<Map<string, ServedProject>> {
  const { hosts, metrics } = parts;
  const counts = new Map<string, number>();
  for (const settings of byName.values())
    counts.set(hostOf(settings), (counts.get(hostOf(settings)) ?? 0) + 1);
  for (const [host, count] of counts) {
    const known = hosts.get(host) ?? new SharedHost();
    known.projects = count;
    hosts.set(host, known);
  }
  const opened = new Map<string, ServedProject>();
  const ceilings = new Map<string, WatchedCeiling>();
  try {
    for (const [name, settings] of byName)
      opened.set(name, await openServed(name, settings, parts, ceilings));
  } catch (error) {
    await Promise.all([...opened.values()].map((project) => project.close()));
    throw error;
  }
  metrics?.watchCalls(ceilings);
  return opened;
}

/** What the only project of a process has. */
export interface SoleParts extends Pick<CommonParts, 'shared' | 'metrics' | 'logger'> {
  readonly sandboxes: Sandboxes | undefined;
  readonly audit: OpenAudit | undefined;
}

/** Opens the only project of a process, whose audit log is that of the process. */
export async function openSole(
  settings: Settings,
  { sandboxes, shared, metrics, audit, logger }: SoleParts,
): Promise<ReadonlyMap<string, ServedProject>> {
  const ceiling = new WatchedCeiling(shared?.resilience ?? LOCAL_RESILIENCE);
  metrics?.watchCalls(new Map([['', ceiling]]));
  const opened = await openProject(settings, {
    capture: settings.capture ?? sandboxes?.capture ?? { url: '', token: '' },
    ...{ resilience: ceiling.resilience, shared, audit, logger },
    observer: observerOf(metrics, audit?.trail),
  });
  const close = (): Promise<void> => Promise.resolve(opened.options.capture.close());
  return new Map([['', { ...opened, rereadToken: undefined, close }]]);
}

async function openServed(
  name: string,
  settings: Settings,
  { shared, metrics, logger, audit: auditOptions, hosts }: CommonParts,
  ceilings: Map<string, WatchedCeiling>,
): Promise<ServedProject> {
  const closing = new Cleanup();
  try {
    const host = hosts.get(hostOf(settings)) ?? new SharedHost();
    const ownLogger = logger.child({ project: name });
    const audit = await openAudit(settings, { ...auditOptions, logger: ownLogger, project: name });
    closing.add(() => audit?.close());
    const { capture = await sandboxOf(settings, closing) } = settings;
    const ownState = shared?.ofProject({
      keyPrefix: settings.redis?.keyPrefix,
      secret: ApiToken(capture.token).reveal(),
      host: new URL(capture.url).host,
      projects: host.projects,
    });
    const ceiling = new WatchedCeiling(host.of(name, ownState?.resilience));
    ceilings.set(hostOf(settings), ceiling);
    const opened = await openProject(settings, {
      ...{ capture, audit, shared: ownState, logger: ownLogger, resilience: ceiling.resilience },
      observer: observerOf(metrics, audit?.trail, name),
    });
    const { capture: client } = opened.options;
    closing.add(() => client.close());
    const tokens = settings.secretFiles.filter((file) => file.name === 'CAPTURE_API_TOKEN');
    const rotation = new SecretRotation(
      tokens,
      usesOf(settings, [], () => client.clearCache()),
      ownLogger,
    );
    closing.add(() => rotation.stop());
    const rereadToken = tokens.length > 0 ? () => rotation.reread() : undefined;
    return { ...opened, rereadToken, close: () => closing.run() };
  } catch (error) {
    await closing.run();
    if (!(error instanceof ConfigurationError)) throw error;
    const ofProject = error.errors.map(({ field, message }) => ({
      field: 'PROJECTS_FILE',
      message: `projects.${name}: ${field} ${message}`,
    }));
    throw new ConfigurationError(ofProject, { cause: error });
  }
}

async function sandboxOf({ values }: Settings, closing: Cleanup) {
  const { startProjectSandbox } = await import('./start-sandboxes.js');
  const sandbox = await startProjectSandbox(values.SANDBOX_STUDY);
  closing.add(() => sandbox.close());
  return { url: sandbox.url, token: sandbox.token };
}

/** Each sandbox is a host of its own. */
function hostOf({ capture, values }: Settings): string {
  return capture === undefined ? `sandbox of ${values.CAPTURE_PROJECT}` : new URL(capture.url).host;
}
