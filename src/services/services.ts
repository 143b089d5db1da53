import type { CrfService } from './crf-service.js';
import type { FileService } from './files/file-service.js';
import type { LogReader } from './logs/log-reader.js';
import type { ProjectOverview } from './project-overview.js';
import type { ProjectDocuments } from './project-schema/project-documents.js';
import type { ProjectXmlExporter } from './project-xml.js';
import type { ProjectServices } from './project/project-services.js';
import type { QualityReport } from './quality/quality-report.js';
import type { RecordActions } from './record-actions.js';
import type { RecordPager } from '../records/export/record-pager.js';
import type { RecordWriter } from './record-writer.js';
import type { ReportExporter } from './reports/report-exporter.js';
import type { StudySummaries } from './summary/study-summaries.js';
import type { SurveyService } from './survey-service.js';
import type { TypedExporter } from '../records/typed/typed-exporter.js';
import type { ReaderPaceOptions } from '../records/streaming/reader-pace.js';

/** The services of an application that read or change the project: everything that routes and pages know of REDCap. */
export interface Services {
  readonly crf: CrfService;
  readonly documents: ProjectDocuments;
  readonly files: FileService;
  readonly logs: LogReader;
  readonly overview: ProjectOverview;
  readonly pager: RecordPager;
  /** The design and the users of the project. */
  readonly project: ProjectServices;
  readonly quality: QualityReport;
  readonly records: RecordActions;
  readonly reports: ReportExporter;
  readonly summaries: StudySummaries;
  readonly surveys: SurveyService;
  readonly typedRows: TypedExporter;
  /** The minimum speed of clients that read or send large bodies. */
  readonly pace: ReaderPaceOptions;
  readonly writer: RecordWriter;
  readonly xml: ProjectXmlExporter;
}
