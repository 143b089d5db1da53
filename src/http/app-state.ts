import type { Application } from 'express';
import type { Logger } from 'pino';
import type { AccessControl } from '../services/access/access-control.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import type { Auth } from '../services/auth/auth-types.js';
import type { HealthService } from '../services/health-service.js';

/**
 * The parts of one application, stored on the application, so that several applications in one process share nothing.
 * Its services are in `services-of.ts`.
 */
export interface AppState {
  readonly access: AccessControl;
  readonly auth: Auth | undefined;
  readonly health: HealthService;
  readonly logger: Logger;
  /** The audit log; undefined if there is none. */
  readonly audit: AuditTrail | undefined;
  /** Returns the pseudonym of a person or record in logs. */
  readonly pseudonymOf: (subject: string) => string;
  /** The origins from which a browser may send requests that change data (CSRF-01). */
  readonly trustedOrigins: readonly string[];
  readonly isSandbox: boolean;
  /** Whether the reference page is served. */
  readonly hasReference: boolean;
  /** The mail or web address where people find help. */
  readonly helpUrl: string | undefined;
}

/** Stores the parts on the application. */
export function setAppState(app: Application, state: AppState): void {
  app.locals.crf = state;
}

/** Returns the parts of an application. */
export function appState(app: Application): AppState {
  return app.locals.crf as AppState;
}
