import type {
  CallOptions,
  CrfClient,
  SurveyParticipant,
  SurveyPlace,
} from '../gateways/redcap/crf-client.js';
import { DesignService } from './design/design-service.js';
import { FileService } from './files/file-service.js';
import type { IdempotencyStore } from './idempotency/idempotency-store.js';
import { LogReader } from './log/log-reader.js';
import { ExportManifests, type CountingClient } from './export-manifests.js';
import { ProjectOverview } from './project-overview.js';
import { ProjectDocuments } from './project-schema/project-documents.js';
import { QualityReport } from './quality/quality-report.js';
import { QualityService } from './quality/quality-service.js';
import { recordVersions } from './records/record-version.js';
import { RecordChanges } from './record-changes.js';
import { RecordActions } from './record-actions.js';
import { RecordExporter } from '../records/export/record-exporter.js';
import { RecordPager } from '../records/export/record-pager.js';
import type { SpareCalls } from '../records/import/chunk-sender.js';
import { RecordLeases } from '../records/import/record-leases.js';
import type { Turns } from '../records/import/turns.js';
import type { SentWorkbooks } from '../records/import/workbook/sent-workbooks.js';
import type { ImportLimits } from '../records/import/import-request.js';
import { RecordWriter } from './record-writer.js';
import { ServerTime } from '../domain/dictionary/server-time.js';
import { DEFAULT_MIN_BYTES_PER_SECOND, type ReaderPaceOptions } from '../records/streaming/reader-pace.js';
import type { StudyOptions } from './summary/study-options.js';
import { RecordSheets } from './record-sheets.js';
import { StudyLists } from './summary/study-lists.js';
import { StudySummaries } from './summary/study-summaries.js';
import { surveyParticipants } from './survey-participants.js';
import { TypedExporter } from '../records/typed/typed-exporter.js';
import { ValueExporter } from '../records/typed/typed-exporter.js';
import { UserFinder, type UserFinderOptions } from './user-finder.js';

/** The settings of an application that its rules depend on. */
export interface CrfServiceOptions {
  readonly users?: UserFinderOptions | undefined;
  readonly imports?: ImportLimits | undefined;
  /** The maximum size of an uploaded file in bytes. */
  readonly fileLimitBytes?: number | undefined;
  /** The minimum speed of clients that read or send large bodies. */
  readonly pace?: ReaderPaceOptions | undefined;
  /** The time zone of REDCap's server. */
  readonly timeZone?: string | undefined;
  /** Encrypts page cursors; random by default. */
  readonly cursorKey?: Buffer | undefined;
  readonly study?: StudyOptions | undefined;
  /** The address of REDCap's API, whose pages the pages lead to. */
  readonly redcapUrl?: string | undefined;
  /** Keeps the results of requests with an Idempotency-Key; in memory by default. */
  readonly idempotency?: IdempotencyStore | undefined;
  /** The records that are being changed; those of this service alone by default. */
  readonly leases?: RecordLeases | undefined;
  /** The calls that imports make beside others; those of this service alone by default. */
  readonly spareCalls?: SpareCalls | undefined;
  /** The turns of changes of the design; those of this service alone by default. */
  readonly designTurns?: Turns | undefined;
  /** The reader of workbooks of the process; one of this service alone by default. */
  readonly workbooks?: SentWorkbooks | undefined;
  /** Returns a client that counts what de-identification changes; undefined where values are shown as they are. */
  readonly counting?: (() => CountingClient | undefined) | undefined;
  /** Returns the OpenAPI document as JSON, which the document of the project is made from. */
  readonly openApi: () => string;
}

/** The operations of a group of the client that need no rule of the service. */
type Group<Name extends keyof CrfClient, Operation extends keyof CrfClient[Name]> = Pick<
  CrfClient[Name],
  Operation
>;

/**
 * Everything that routes and pages know of REDCap, independent of HTTP: an operation that needs no rule is one of the
 * client's own groups; for each rule there is a service beside them. A request gets it from `crfOf`, which enters what
 * it does in the audit log first.
 */
export class CrfService {
  readonly project: Group<'project', 'getInfo'>;
  readonly fields: Group<'fields', 'list'>;
  readonly exportFieldNames: Group<'exportFieldNames', 'list'>;
  readonly fieldValidations: Group<'fieldValidations', 'list'>;
  readonly arms: Group<'arms', 'list'>;
  readonly events: Group<'events', 'list'>;
  readonly instruments: Group<'instruments', 'list'>;
  readonly mappings: Group<'mappings', 'list'>;
  readonly repeating: Group<'repeating', 'list'>;
  readonly dags: Group<'dags', 'list'>;
  readonly dagAssignments: Group<'dagAssignments', 'list'>;
  readonly roles: Group<'roles', 'list'>;
  readonly users: Group<'users', 'list'>;
  readonly records: Group<'records', 'nextId'>;
  readonly files: Group<'files', 'delete'>;
  readonly fileRepository: Group<'fileRepository', 'list' | 'createFolder' | 'delete'>;
  /** Each link or code lets its holder open a survey: they are returned, but never stored or logged. */
  readonly surveys: Group<'surveys', 'getLink' | 'getQueueLink' | 'getReturnCode' | 'getAccessCode'>;

  readonly design: DesignService;
  readonly documents: ProjectDocuments;
  readonly fileService: FileService;
  readonly lists: StudyLists;
  readonly logReader: LogReader;
  readonly manifests: ExportManifests;
  readonly overview: ProjectOverview;
  readonly pager: RecordPager;
  readonly quality: QualityReport;
  readonly recordActions: RecordActions;
  readonly recordChanges: RecordChanges;
  readonly recordSheets: RecordSheets;
  readonly summaries: StudySummaries;
  readonly typedRows: TypedExporter;
  readonly userFinder: UserFinder;
  readonly writer: RecordWriter;
  /** The minimum speed of clients that read or send large bodies. */
  readonly pace: ReaderPaceOptions;

  readonly #client: CrfClient;
  readonly #time: ServerTime;

  constructor(client: CrfClient, options: CrfServiceOptions) {
    const { imports, cursorKey, idempotency, openApi, leases = new RecordLeases() } = options;
    const shares = { leases, spareCalls: options.spareCalls, workbooks: options.workbooks };
    const pace = options.pace ?? { minBytesPerSecond: DEFAULT_MIN_BYTES_PER_SECOND };
    this.#client = client;
    this.project = client.project;
    this.fields = client.fields;
    ({
      exportFieldNames: this.exportFieldNames,
      fieldValidations: this.fieldValidations,
      arms: this.arms,
      events: this.events,
      instruments: this.instruments,
      mappings: this.mappings,
      repeating: this.repeating,
      dags: this.dags,
      dagAssignments: this.dagAssignments,
      roles: this.roles,
      users: this.users,
      records: this.records,
      files: this.files,
      fileRepository: this.fileRepository,
      surveys: this.surveys,
    } = client);

    const versionOf = recordVersions(cursorKey);
    this.pace = pace;
    this.#time = new ServerTime(options.timeZone);
    const quality = new QualityService(client, this.#time);
    this.typedRows = new TypedExporter(client, pace, this.#time);
    this.pager = new RecordPager(
      client,
      new ValueExporter(new RecordExporter(client, {}, pace), this.typedRows),
      cursorKey,
      this.#time,
    );
    this.design = new DesignService(client, pace, options.designTurns);
    this.documents = new ProjectDocuments(client, { recordIdMinLength: imports?.recordIdMinLength, openApi });
    this.fileService = new FileService(client, { limitBytes: options.fileLimitBytes, pace });
    const study = { ...options.study, timeZone: options.study?.timeZone ?? options.timeZone };
    this.lists = new StudyLists(client, study, pace);
    this.logReader = new LogReader(client, this.#time, pace, cursorKey);
    this.manifests = new ExportManifests(options.counting);
    this.overview = new ProjectOverview(client, options.redcapUrl);
    this.quality = new QualityReport(quality, pace);
    this.recordActions = new RecordActions(client, imports, idempotency, versionOf, leases);
    this.recordSheets = new RecordSheets(client, this.lists, quality, this.logReader);
    this.userFinder = new UserFinder(client, options.users);
    this.summaries = new StudySummaries(client, this.lists, study);
    this.writer = new RecordWriter(client, { ...imports, pace }, idempotency, client, shares);
    this.recordChanges = new RecordChanges(client, this.writer, versionOf, leases);
  }

  /** Lists the participants of a survey. Times have an offset if the time zone of REDCap's server is known. */
  surveyParticipants(
    survey: Pick<SurveyPlace, 'instrument' | 'event'>,
    call?: CallOptions,
  ): Promise<SurveyParticipant[]> {
    return surveyParticipants(this.#client, this.#time, survey, call);
  }
}
