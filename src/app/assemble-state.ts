import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { AccessControl } from '../services/access/access-control.js';
import { SCOPES } from '../identifiers/scope.js';
import { OPEN_PROJECT_SCOPES } from '../services/access/open-project-scopes.js';
import { CrfService } from '../services/crf-service.js';
import { FileService } from '../services/files/file-service.js';
import { HealthService, type Dependency } from '../services/health-service.js';
import { LogReader } from '../services/logs/log-reader.js';
import { ProjectOverview } from '../services/project-overview.js';
import { ProjectDocuments } from '../services/project-schema/project-documents.js';
import { QualityReport } from '../services/quality/quality-report.js';
import { QualityService } from '../services/quality/quality-service.js';
import { createProjectServices } from '../services/project/project-services.js';
import { TypedExporter } from '../records/typed/typed-exporter.js';
import { ValueExporter } from '../records/typed/value-exporter.js';
import { DEFAULT_MIN_BYTES_PER_SECOND } from '../records/streaming/reader-pace.js';
import { RecordPager } from '../records/export/record-pager.js';
import { RecordExporter } from '../records/export/record-exporter.js';
import { Pseudonyms } from '../services/pseudonyms.js';
import { RecordActions } from '../services/record-actions.js';
import { StudySummaries } from '../services/summary/study-summaries.js';
import { RecordWriter } from '../services/record-writer.js';
import { ProjectXmlExporter } from '../services/project-xml.js';
import { ReportExporter } from '../services/reports/report-exporter.js';
import { ServerTime } from '../services/server-time.js';
import type { Services } from '../services/services.js';
import { SurveyService } from '../services/survey-service.js';
import { apiDocument } from '../openapi/api-document.js';
import type { AppState } from '../http/app-state.js';
import type { CreateAppOptions } from './create-app-options.js';

/** Creates the parts of one application from its options. */
export function assembleState(options: CreateAppOptions): AppState {
  const { access, auth } = options;
  return {
    access: new AccessControl({
      ...access,
      openScopes: options.sandbox === undefined ? OPEN_PROJECT_SCOPES : SCOPES,
      auth: auth?.service,
    }),
    auth: auth?.service,
    health: new HealthService(dependencies(options), { shared: options.shared?.health }),
    logger: options.logger ?? pino({ enabled: false }),
    audit: options.audit,
    pseudonymOf: pseudonymsOf(options),
    trustedOrigins: auth?.trustedOrigins ?? [],
    isSandbox: options.sandbox !== undefined,
    hasReference: options.docs ?? false,
    helpUrl: options.helpUrl,
  };
}

/** Creates the services of one application from its options. */
export function assembleServices(options: CreateAppOptions): Services {
  const { capture, limits = {} } = options;
  const pace = {
    minBytesPerSecond: limits.exportMinBytesPerSecond ?? DEFAULT_MIN_BYTES_PER_SECOND,
    averagedOverMs: limits.exportPaceAveragedOverMs,
  };
  const time = new ServerTime(options.timeZone);
  const typedRows = new TypedExporter(capture, pace);
  const quality = new QualityService(capture);
  const exporter = new ValueExporter(new RecordExporter(capture, {}, pace), typedRows);
  return {
    crf: new CrfService(capture, options.users),
    files: new FileService(capture, { ...options.files, pace }),
    pager: new RecordPager(capture, exporter, options.cursorKey),
    summaries: new StudySummaries(capture, quality, options.study),
    documents: new ProjectDocuments(capture, {
      recordIdMinLength: options.imports?.recordIdMinLength,
      openApi: () => apiDocument().toString(),
    }),
    quality: new QualityReport(quality, pace),
    records: new RecordActions(capture, options.imports, options.shared?.idempotency),
    writer: new RecordWriter(capture, { ...options.imports, pace }, options.shared?.idempotency, capture),
    logs: new LogReader(capture, time, pace, options.cursorKey),
    reports: new ReportExporter(capture, pace),
    surveys: new SurveyService(capture, time),
    xml: new ProjectXmlExporter(capture, pace),
    typedRows,
    pace,
    overview: new ProjectOverview(capture),
    project: createProjectServices(capture, pace),
  };
}

/**
 * Uses the pseudonyms of the sign-in if there is one, so that a person has the same pseudonym everywhere. Otherwise the
 * pseudonyms, which are then only for records, have their own key.
 */
function pseudonymsOf({ auth, pseudonymKey }: CreateAppOptions): (subject: string) => string {
  if (auth !== undefined) return (subject) => auth.service.pseudonymOf(subject);
  return new Pseudonyms(pseudonymKey ?? randomBytes(32)).of;
}

/**
 * What readiness checks. While REDCap, Appwrite or Redis is away, a proxy must not remove all replicas at the same time,
 * because pages, errors and everything that does not need it still work. A replica that cannot write its audit log is
 * different: it refuses every call that another replica may serve (docs/decisions/0011-readiness.md).
 */
function dependencies({ capture, auth, shared, audit }: CreateAppOptions): Dependency[] {
  const isAway = { isEssential: false, isCheckedRarely: true };
  return [
    { name: 'redcap', ...isAway, check: (call) => capture.ping(call) },
    ...(auth ? [{ name: 'identity', ...isAway, check: () => auth.service.checkReadiness() } as const] : []),
    ...(shared
      ? [{ name: 'redis', isEssential: false, isCheckedRarely: false, check: () => shared.ping() } as const]
      : []),
    ...(audit
      ? [
          {
            name: 'audit',
            isEssential: true,
            isCheckedRarely: false,
            check: () => audit.checkWritable(),
          } as const,
        ]
      : []),
  ];
}
