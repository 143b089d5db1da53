import type { Express } from 'express';
import type { Settings } from '../config/settings.js';
import type { CallObserver } from '../gateways/redcap/observed/call-observer.js';
import { appState } from '../http/app-state.js';
import type { ServiceMetrics } from '../metrics/service-metrics.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import { PACKAGE_VERSION } from '../services/package-version.js';
import type { AdminServer } from './admin-server.js';

/** Imported when it is needed: without an admin port nothing is counted. */
export async function createMetrics(): Promise<ServiceMetrics> {
  const { ServiceMetrics } = await import('../metrics/service-metrics.js');
  return new ServiceMetrics(PACKAGE_VERSION);
}

/** Listens on the admin port of the settings. */
export async function listenForOperators(
  { values }: Settings,
  app: Express,
  metrics: ServiceMetrics,
): Promise<AdminServer> {
  const { startAdminServer } = await import('./admin-server.js');
  return startAdminServer(
    { port: values.ADMIN_PORT ?? 0, host: values.ADMIN_HOST },
    { health: appState(app).health, metrics },
  );
}

/** @returns who hears of calls to REDCap: the metrics, and the audit log of the circuit; nobody without either */
export function observerOf(
  metrics: ServiceMetrics | undefined,
  audit: AuditTrail | undefined,
): CallObserver | undefined {
  if (metrics === undefined && audit === undefined) return undefined;
  const { redcap = UNHEARD } = metrics ?? {};
  return {
    ...redcap,
    circuitChanged: (isOpen) => {
      redcap.circuitChanged(isOpen);
      audit?.note({ event: isOpen ? 'circuit.opened' : 'circuit.closed' });
    },
  };
}

const ignore = (): void => undefined;
const UNHEARD: CallObserver = { began: () => ignore, sent: () => ignore, circuitChanged: ignore };
