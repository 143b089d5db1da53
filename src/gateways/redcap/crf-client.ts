import type { Readable } from 'node:stream';
import type { Field } from '../../dictionary/field.js';
import type { CallOptions, PartOptions } from './call-options.js';
import type { Arms } from './contents/arms.js';
import type { AnswerSchema, CustomCallOptions } from './contents/custom-call.js';
import type { Dags } from './contents/dags.js';
import type { Dictionary } from './contents/dictionary.js';
import type { Events } from './contents/events.js';
import type { FileRepository } from './contents/file-repository.js';
import type { Files } from './contents/files.js';
import type { Instruments } from './contents/instruments.js';
import type { LogEntry, Logs, LogSelection } from './contents/logs.js';
import type { Pdf } from './contents/pdf.js';
import type { Projects } from './contents/projects.js';
import type { Records } from './contents/records.js';
import type { Reports } from './contents/reports.js';
import type { Roles } from './contents/roles.js';
import type { Surveys } from './contents/surveys.js';
import type { ProjectUser, Users } from './contents/users.js';
import type { CsvDelimiter } from './csv-delimiter.js';
import type { GetRecordOptions, RecordDocument } from './record-document.js';
import type { RecordRow } from './record-row.js';
import type { TypedRow } from './typed-row.js';
import type { WireParameters } from './wire-parameters.js';

export type { CallOptions, PartOptions } from './call-options.js';
export type { Arm, ArmFilter, ReplaceOptions } from './contents/arms.js';
export type { DataAccessGroup, DataAccessGroupAssignment, DataAccessGroupChange } from './contents/dags.js';
export type { ExportFieldName, FieldValidation } from './contents/dictionary.js';
export type { ProjectEvent, ProjectEventChange } from './contents/events.js';
export type { Instrument, InstrumentEventMapping, RepeatingInstrument } from './contents/instruments.js';
export type { NewProject, ProjectSettings, ProjectXmlOptions } from './contents/projects.js';
export type {
  DeleteRecordsOptions,
  Randomization,
  RandomizeOptions,
  RenameRecordOptions,
} from './contents/records.js';
export type { FormRights, Rights, RightsHolder } from './contents/rights.js';
export type { UserRole, UserRoleAssignment, UserRoleChange } from './contents/roles.js';
export type { ProjectUser, UserRights, UserRightsChange } from './contents/users.js';
export type {
  EventDocument,
  GetRecordOptions,
  InstanceDocument,
  InstrumentDocument,
  RecordDocument,
} from './record-document.js';
export type { RecordRow } from './record-row.js';
export type { TypedRow, TypedValue } from './typed-row.js';
export type { LogEntry, LogSelection } from './contents/logs.js';
export type { NewFolder, RepositoryEntry } from './contents/file-repository.js';
export type { FileDownload, FileInfo, FilePlace, FileUpload } from './contents/files.js';
export type { PdfSelection } from './contents/pdf.js';
export type { OpenReportOptions, ReportForm } from './contents/reports.js';
export type { SurveyParticipant, SurveyPlace } from './contents/surveys.js';

export interface InstrumentRowsOptions extends CallOptions {
  readonly records?: readonly string[] | undefined;
  readonly events?: readonly string[] | undefined;
  readonly filterLogic?: string | undefined;
  readonly exportDataAccessGroups?: boolean | undefined;
  readonly exportBlankForGrayFormStatus?: boolean | undefined;
  readonly dateRangeBegin?: string | undefined;
  readonly dateRangeEnd?: string | undefined;
  /** Records a batch. Without it the export is one call, and falls back to batches when REDCap cannot give it whole. */
  readonly batchSize?: number | undefined;
  /** Codes with their labels. */
  readonly labels?: boolean | undefined;
  /** What stands for a missing data code: `{ missing: 'UNK' }`, the default, or null. */
  readonly missing?: 'code' | 'null' | undefined;
  /** Hears of each value that does not fit the type of its field. */
  readonly onMisfit?: ((row: RecordRow, column: string) => void) | undefined;
}

/** What an export could not check about its filter logic. */
export interface LogicNote {
  /** The place in the text, counted from 1. */
  readonly at: number;
  readonly message: string;
}

/** A row to import: numbers and booleans are sent as REDCap writes them (`true` as `1`). */
export type ImportRow = Readonly<Record<string, string | number | boolean | null>>;

/**
 * What an export chooses and how it is written. Everything is optional: nothing given exports everything, raw and flat. A
 * list that is given has at least one name and `filterLogic` is not blank, or an `InvalidRequestError` names the option:
 * a blank never widens an export.
 */
export interface RecordSelection {
  /** Record ids; unknown ones are ignored by REDCap. */
  readonly records?: readonly string[] | undefined;
  /** Field names; the id field is exported only when it is asked for. */
  readonly fields?: readonly string[] | undefined;
  /** Unique names of instruments, joined to `fields`. */
  readonly forms?: readonly string[] | undefined;
  /** Unique event names; longitudinal projects only. */
  readonly events?: readonly string[] | undefined;
  /** REDCap's expression language, as in `[age] >= 18`. */
  readonly filterLogic?: string | undefined;
  /** `flat`: a row a record; `eav`: a row a value. */
  readonly type?: 'flat' | 'eav' | undefined;
  /** Codes or labels of choices. */
  readonly rawOrLabel?: 'raw' | 'label' | undefined;
  /** Names or labels in the header; CSV and flat only. */
  readonly rawOrLabelHeaders?: 'raw' | 'label' | undefined;
  /** With labels: the choice's label, or nothing, instead of `Checked` and `Unchecked`. */
  readonly exportCheckboxLabel?: boolean | undefined;
  /** Adds the survey identifier and the survey time stamps. */
  readonly exportSurveyFields?: boolean | undefined;
  /** Adds `redcap_data_access_group`. */
  readonly exportDataAccessGroups?: boolean | undefined;
  /** Only records created or changed after this moment: `YYYY-MM-DD HH:MM:SS` in the server's time. */
  readonly dateRangeBegin?: string | undefined;
  /** Only records created or changed before this moment: `YYYY-MM-DD HH:MM:SS` in the server's time. */
  readonly dateRangeEnd?: string | undefined;
  /** CSV only. */
  readonly csvDelimiter?: CsvDelimiter | undefined;
  /** How numbers are written; as stored when not given. */
  readonly decimalCharacter?: ',' | '.' | undefined;
  /** `_complete` of instruments that were never saved: empty instead of `0`. */
  readonly exportBlankForGrayFormStatus?: boolean | undefined;
  /** One column a checkbox field, instead of one a choice. REDCap 16 and later. */
  readonly combineCheckboxOptions?: boolean | undefined;
}

export interface ExportRecordsOptions extends RecordSelection, CallOptions {
  /** Only the first rows, 1 to 1,000,000. REDCap's answer is cancelled after them. */
  readonly limit?: number | undefined;
}

export interface OpenRecordsOptions extends RecordSelection, CallOptions, PartOptions {
  /** The form of the bytes. */
  readonly format: 'json' | 'csv';
}

export interface StreamRecordsOptions extends ExportRecordsOptions {
  /** Records a batch. Without it the export is one call, and falls back to batches when REDCap cannot give it whole. */
  readonly batchSize?: number | undefined;
  /** Batches that are asked for at once, 4 by default and at most; never more than the client has turns for. */
  readonly concurrency?: number | undefined;
  /** Called after each batch. `total` is known in batched exports only. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

export interface ExportProgress {
  readonly records: number;
  readonly total?: number | undefined;
  readonly bytes: number;
}

export interface ImportRecordsOptions extends CallOptions {
  readonly type?: 'flat' | 'eav' | undefined;
  /** `normal`: blank values are ignored; `overwrite`: blank values erase. */
  readonly overwriteBehavior?: 'normal' | 'overwrite' | undefined;
  /** REDCap makes the names; those given only group rows. Such an import is never retried. */
  readonly forceAutoNumber?: boolean | undefined;
  readonly dateFormat?: 'YMD' | 'MDY' | 'DMY' | undefined;
  /** What is answered: the number of records, or their ids. `auto_ids` needs `forceAutoNumber`. */
  readonly returnContent?: 'count' | 'ids' | 'auto_ids' | undefined;
  /** REDCap answers at once and imports later; nothing is reported back. */
  readonly backgroundProcess?: boolean | undefined;
  /**
   * The caller vouches that storing these rows twice is the same as storing them once: every record id and repeat
   * instance is given, none is `new`. Only then is the import repeated after a failure. With `forceAutoNumber` or
   * `backgroundProcess` it is not, whatever this says. If it fails, `isInDoubt` covers the attempts before the last.
   */
  readonly isIdempotent?: boolean | undefined;
}

export interface ImportDataOptions extends ImportRecordsOptions, PartOptions {
  /** The form of the text. */
  readonly format: 'json' | 'csv';
  readonly csvDelimiter?: CsvDelimiter | undefined;
}

/** What REDCap stored. `count` counts records, not rows. */
export interface ImportResult {
  readonly count: number;
  /** With `returnContent: 'ids'` the record ids; with `auto_ids` the new ones. */
  readonly ids?: readonly string[];
}

/** @see docs/protocol/redcap.md 9.5 (client): REDCap's 0 and 1 are booleans here */
export interface ProjectInfo {
  readonly id: number;
  readonly title: string;
  /** `YYYY-MM-DD HH:MM:SS` in the server's time. */
  readonly creationTime: string;
  /** Empty while the project is in development. */
  readonly productionTime: string;
  readonly isInProduction: boolean;
  readonly language: string;
  /** 0 practice, 1 other, 2 research, 3 quality improvement, 4 operational support. */
  readonly purpose: number;
  readonly purposeOther: string;
  readonly notes: string;
  readonly customRecordLabel: string;
  readonly secondaryUniqueField: string;
  readonly isLongitudinal: boolean;
  readonly hasRepeatingInstrumentsOrEvents: boolean;
  readonly surveysEnabled: boolean;
  readonly schedulingEnabled: boolean;
  readonly recordAutonumberingEnabled: boolean;
  readonly randomizationEnabled: boolean;
  readonly irbNumber: string;
  readonly grantNumber: string;
  readonly piFirstName: string;
  readonly piLastName: string;
  readonly missingDataCodes: string;
}

/** The log of a project. */
export interface LogGroup extends Pick<Logs, 'export' | 'open'> {
  /**
   * The entries one by one, the newest first, in constant memory. Nothing is asked for before the first is taken; leaving
   * the loop cancels what is under way.
   */
  stream(selection?: LogSelection): AsyncIterable<LogEntry>;
}

/**
 * A typed client of one REDCap project. Every operation throws this package's errors and no others:
 * `UpstreamRejectedError` (a parameter), `UpstreamRefusedError` (the token), `UpstreamForbiddenError` (a right of its user),
 * `NotSupportedUpstreamError` (this version of REDCap), `UpstreamInvalidError`,
 * `UpstreamUnavailableError`, `UpstreamTimeoutError`, `OverloadedError`, `CancelledError`.
 */
export interface CrfClient {
  /** REDCap's version, as in `16.1.9`. */
  getVersion(options?: CallOptions): Promise<string>;
  /** Whether REDCap answers now: asks for its version, past everything that is remembered. */
  ping(options?: CallOptions): Promise<void>;
  getProjectInfo(options?: CallOptions): Promise<ProjectInfo>;
  /** The data dictionary, in its own order. */
  getMetadata(
    options?: CallOptions & {
      readonly fields?: readonly string[] | undefined;
      readonly forms?: readonly string[] | undefined;
    },
  ): Promise<Field[]>;

  /** All rows at once. For large projects use `streamRecords`. */
  exportRecords(options?: ExportRecordsOptions): Promise<RecordRow[]>;
  /**
   * REDCap's own bytes of one export call: a JSON array, or CSV. Rejects before the first byte is given
   * when the answer is not an export; destroys the stream when it breaks off later. An empty CSV export is empty.
   */
  openRecords(options: OpenRecordsOptions): Promise<Readable>;
  /** Rows one by one, in constant memory. */
  streamRecords(options?: StreamRecordsOptions): AsyncIterable<RecordRow>;
  /**
   * One record as a nested document with typed values: its events, in each the instruments, in each what was entered.
   *
   * @throws {RecordNotFoundError} the project has no such record
   */
  getRecord(recordId: string, options?: GetRecordOptions): Promise<RecordDocument>;
  /** Imports rows in one call: REDCap stores all of them or, with an `InvalidRecordsError`, none. */
  importRecords(rows: readonly ImportRow[], options?: ImportRecordsOptions): Promise<ImportResult>;
  /**
   * The rows of one instrument, one by one, with typed values: record id, event, repeat instance, its fields and its form
   * status, and no column of another form.
   *
   * @throws {InvalidRequestError} the project has no such instrument
   */
  rows(instrument: string, options?: InstrumentRowsOptions): AsyncIterable<TypedRow>;
  /**
   * Imports rows with typed values, as `rows` gives them, in one call.
   *
   * @throws {InvalidRequestError} a value has no form in REDCap, such as a code that is no choice
   */
  importRows(rows: readonly TypedRow[], options?: ImportRecordsOptions): Promise<ImportResult>;
  /** Imports text that is already in REDCap's form, in one call. A buffer is UTF-8; it must not change meanwhile. */
  importData(data: string | Buffer, options: ImportDataOptions): Promise<ImportResult>;
  /**
   * Checks filter logic against the project, as every export does before it is sent.
   *
   * @returns what could not be checked, or is likely a mistake: REDCap decides. Empty when all is well
   * @throws {InvalidRequestError} a bracket is not closed, a field, event or choice does not exist, or a comparison can
   *   never hold; each entry names the place: `at character 14: [agee] is not a field of this project`
   */
  checkFilterLogic(filterLogic: string, options?: CallOptions): Promise<readonly LogicNote[]>;
  /**
   * The user of the project's own list who has the address, whatever its case.
   *
   * @throws {UserNotFoundError} nobody has it
   * @throws {AmbiguousUserError} several have it
   */
  findUserByEmail(email: string, options?: CallOptions): Promise<ProjectUser>;

  readonly arms: Arms;
  readonly events: Events;
  readonly instruments: Instruments;
  readonly dictionary: Dictionary;
  readonly projects: Projects;
  readonly dags: Dags;
  readonly users: Users;
  readonly roles: Roles;
  readonly records: Records;
  readonly surveys: Surveys;
  readonly logs: LogGroup;
  readonly files: Files;
  readonly fileRepository: FileRepository;
  readonly pdf: Pdf;
  readonly reports: Reports;
  /**
   * A content that has no method here: REDCap's mobile app, MyCap, external modules. It is made once, with every limit of
   * the other calls.
   *
   * @param parameters under REDCap's own names; lists are sent as `name[0]`
   * @param schema what the answer must be; any JSON by default
   */
  call<Value = unknown>(
    content: string,
    parameters?: WireParameters,
    schema?: AnswerSchema<Value>,
    options?: CustomCallOptions,
  ): Promise<Value>;

  /** Drops what is cached (version, project information, data dictionary). */
  clearCache(): void;
  /** Closes idle connections. Calls under way are cancelled. */
  close(): void;
}
