import type { Application } from 'express';
import type { Logger } from 'pino';
import type { AccessControl } from '../services/access/access-control.js';
import type { AuditTrail } from '../services/audit/audit-trail.js';
import type { Auth } from '../services/auth/auth-types.js';
import type { CrfService } from '../services/crf-service.js';
import type { FileService } from '../services/files/file-service.js';
import type { LogReader } from '../services/logs/log-reader.js';
import type { ProjectXmlExporter } from '../services/project-xml.js';
import type { ReportExporter } from '../services/reports/report-exporter.js';
import type { SurveyService } from '../services/survey-service.js';
import type { HealthService } from '../services/health-service.js';
import type { ProjectOverview } from '../services/project-overview.js';
import type { StudySummaries } from '../services/summary/study-summaries.js';
import type { ProjectDocuments } from '../services/project-schema/project-documents.js';
import type { QualityReport } from '../services/quality/quality-report.js';
import type { ProjectServices } from '../services/project/project-services.js';
import type { RecordActions } from '../services/record-actions.js';
import type { RecordPager } from '../services/record-export/record-pager.js';
import type { TypedExporter } from '../services/typed-rows/typed-exporter.js';
import type { RecordWriter } from '../services/record-writer.js';

/**
 * The parts of one application, stored on the application, so that several applications in one process share nothing.
 */
export interface AppState {
  readonly access: AccessControl;
  readonly auth: Auth | undefined;
  readonly crf: CrfService;
  readonly files: FileService;
  readonly health: HealthService;
  readonly logs: LogReader;
  readonly reports: ReportExporter;
  readonly surveys: SurveyService;
  readonly xml: ProjectXmlExporter;
  readonly pager: RecordPager;
  readonly documents: ProjectDocuments;
  readonly quality: QualityReport;
  readonly typedRows: TypedExporter;
  readonly records: RecordActions;
  readonly summaries: StudySummaries;
  readonly writer: RecordWriter;
  readonly logger: Logger;
  /** The audit log; undefined if there is none. */
  readonly audit: AuditTrail | undefined;
  /** Returns the pseudonym of a person or record in logs. */
  readonly pseudonymOf: (subject: string) => string;
  /** The origins from which a browser may send requests that change data (CSRF-01). */
  readonly trustedOrigins: readonly string[];
  readonly overview: ProjectOverview;
  /** The design and the users of the project. */
  readonly project: ProjectServices;
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
