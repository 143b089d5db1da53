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
import type { RecordPager } from '../services/record-export/record-pages.js';
import type { TypedExporter } from '../services/typed-rows/typed-exporter.js';
import type { RecordWriter } from '../services/record-writer.js';

/** What one application is made of. It hangs on the application, so that several live in one process and share nothing. */
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
  /** The audit log; undefined when there is none. */
  readonly audit: AuditTrail | undefined;
  /** What logs call a person or a record. */
  readonly pseudonymOf: (subject: string) => string;
  /** Origins from which a browser may send requests that change something (CSRF-01). */
  readonly trustedOrigins: readonly string[];
  readonly overview: ProjectOverview;
  /** The design of the project and the people who work on it. */
  readonly project: ProjectServices;
  readonly isSandbox: boolean;
  /** Whether the reference page is served. */
  readonly hasReference: boolean;
  /** Where people find help: a mail or web address. */
  readonly helpUrl: string | undefined;
}

/** Puts the parts on the application. */
export function setAppState(app: Application, state: AppState): void {
  app.locals.crf = state;
}

/** @returns the parts of the application that serves the request */
export function appState(app: Application): AppState {
  return app.locals.crf as AppState;
}
