import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Settings } from './config/settings.js';
import { CrfError } from '../domain/errors/crf-error.js';
import { upstreamAnswerOf } from '../domain/errors/upstream-errors.js';
import type { CallObserver } from '../gateways/redcap/observe.js';
import { checkedState } from '../app/check-app-options.js';
import { projectStatesOf } from '../http/app-state.js';
import type { ServiceMetrics } from './metrics/service-metrics.js';
import type { Readiness } from '../services/health-service.js';
import type { ProjectState } from '../services/project-states.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import { PACKAGE_VERSION } from '../services/package-version.js';
import type { AdminServer } from './admin-server.js';

/** Creates the metrics. Imported on demand, because nothing is counted without an admin port. */
export async function createMetrics(): Promise<ServiceMetrics> {
  const { ServiceMetrics } = await import('./metrics/service-metrics.js');
  return new ServiceMetrics(PACKAGE_VERSION);
}

/** Starts listening on the configured admin port. */
export async function listenForOperators(
  { port, host }: NonNullable<Settings['admin']>,
  app: Express,
  metrics: ServiceMetrics,
): Promise<AdminServer> {
  const { health } = checkedState(app);
  const readiness = async () => withProjects(await health.readiness(), await projectStatesOf(app)?.all());
  metrics.watch({ readiness });
  const { startAdminServer } = await import('./admin-server.js');
  return startAdminServer({ port, host }, { health: { readiness }, metrics });
}

/** Adds what operators may know of several projects: which of them answer, and why others do not. */
function withProjects(readiness: Readiness, states: ReadonlyMap<string, ProjectState> | undefined) {
  if (states === undefined) return readiness;
  const projects = [...states].map(([name, { status, reason }]) => ({ name, status, reason }));
  const isDegraded = readiness.status === 'ready' && projects.some(({ status }) => status === 'down');
  return { ...readiness, status: isDegraded ? ('degraded' as const) : readiness.status, projects };
}

/**
 * Returns the observer of calls to REDCap: it updates the metrics, and enters what the circuit does in the log and in the
 * audit log.
 *
 * @param logger that of the project, which it names
 */
export function observerOf(
  metrics: ServiceMetrics | undefined,
  audit: AuditTrail | undefined,
  logger: Pick<Logger, 'info' | 'warn'>,
  project?: string,
): CallObserver {
  const redcap = metrics?.redcapOf(project) ?? UNHEARD;
  return {
    ...redcap,
    circuitChanged: (isOpen, cause) => {
      redcap.circuitChanged(isOpen);
      const code = cause instanceof CrfError ? cause.code : undefined;
      audit?.note({
        event: isOpen ? 'circuit.opened' : 'circuit.closed',
        reason: code,
        upstream: upstreamAnswerOf(cause),
      });
      if (isOpen) logger.warn({ code, err: cause }, 'calls to REDCap are suspended after failures');
      else logger.info('calls to REDCap are resumed');
    },
  };
}

const ignore = (): void => undefined;
const UNHEARD: CallObserver = { began: () => ignore, sent: () => ignore, circuitChanged: ignore };
