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
  /**
   * Records per batch. Without it the export is one call, which falls back to batches if REDCap cannot export
   * everything at once.
   */
  readonly batchSize?: number | undefined;
  /** Adds labels to codes. */
  readonly labels?: boolean | undefined;
  /** How a missing data code is represented: as `{ missing: 'UNK' }` (`code`, the default) or as null. */
  readonly missing?: 'code' | 'null' | undefined;
  /** Called for each value that does not match the type of its field. */
  readonly onMisfit?: ((row: RecordRow, column: string) => void) | undefined;
}

/** A note about filter logic: something that could not be checked, or is likely a mistake. */
export interface LogicNote {
  /** The position in the text, counted from 1. */
  readonly at: number;
  readonly message: string;
}

/** A row to import. Numbers and booleans are sent the way REDCap writes them (`true` as `1`). */
export type ImportRow = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Selects what is exported and how it is written. Every option is optional; without any, everything is exported, raw
 * and flat. A list must contain at least one name and `filterLogic` must not be blank; otherwise an
 * `InvalidRequestError` names the option. A blank therefore never widens an export.
 */
export interface RecordSelection {
  /** Record ids. REDCap ignores unknown ones. */
  readonly records?: readonly string[] | undefined;
  /** Field names. The record id field is exported only if it is listed. */
  readonly fields?: readonly string[] | undefined;
  /** Unique instrument names. Their fields are added to `fields`. */
  readonly forms?: readonly string[] | undefined;
  /** Unique event names, for longitudinal projects only. */
  readonly events?: readonly string[] | undefined;
  /** A condition in REDCap's logic syntax, such as `[age] >= 18`. */
  readonly filterLogic?: string | undefined;
  /** `flat`: one row per record; `eav`: one row per value. */
  readonly type?: 'flat' | 'eav' | undefined;
  /** Whether choices are exported as codes or labels. */
  readonly rawOrLabel?: 'raw' | 'label' | undefined;
  /** Whether the header has names or labels. Flat CSV only. */
  readonly rawOrLabelHeaders?: 'raw' | 'label' | undefined;
  /**
   * With `rawOrLabel: 'label'`: exports a checkbox as the label of the choice, or blank, instead of `Checked` or
   * `Unchecked`.
   */
  readonly exportCheckboxLabel?: boolean | undefined;
  /** Adds the survey identifier and the survey timestamps. */
  readonly exportSurveyFields?: boolean | undefined;
  /** Adds `redcap_data_access_group`. */
  readonly exportDataAccessGroups?: boolean | undefined;
  /** Only records created or changed after this time: `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
  readonly dateRangeBegin?: string | undefined;
  /** Only records created or changed before this time: `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
  readonly dateRangeEnd?: string | undefined;
  /** CSV only. */
  readonly csvDelimiter?: CsvDelimiter | undefined;
  /** The decimal separator of numbers. By default numbers are exported as stored. */
  readonly decimalCharacter?: ',' | '.' | undefined;
  /** Exports the `_complete` status of instruments that were never saved as blank instead of `0`. */
  readonly exportBlankForGrayFormStatus?: boolean | undefined;
  /** Exports one column per checkbox field instead of one per choice. REDCap 16 and later. */
  readonly combineCheckboxOptions?: boolean | undefined;
}

export interface ExportRecordsOptions extends RecordSelection, CallOptions {
  /** Returns only the first rows, 1 to 1,000,000. The rest of REDCap's answer is cancelled. */
  readonly limit?: number | undefined;
}

export interface OpenRecordsOptions extends RecordSelection, CallOptions, PartOptions {
  /** The format of the bytes. */
  readonly format: 'json' | 'csv';
}

export interface StreamRecordsOptions extends ExportRecordsOptions {
  /**
   * Records per batch. Without it the export is one call, which falls back to batches if REDCap cannot export
   * everything at once.
   */
  readonly batchSize?: number | undefined;
  /**
   * Batches in progress at the same time: 4 by default and at most, and never more than the client's concurrency limit
   * allows.
   */
  readonly concurrency?: number | undefined;
  /** Called after each batch. `total` is known only in batched exports. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
}

export interface ExportProgress {
  readonly records: number;
  readonly total?: number | undefined;
  readonly bytes: number;
}

export interface ImportRecordsOptions extends CallOptions {
  readonly type?: 'flat' | 'eav' | undefined;
  /** `normal`: blank values are ignored; `overwrite`: blank values erase the stored ones. */
  readonly overwriteBehavior?: 'normal' | 'overwrite' | undefined;
  /** REDCap assigns the record names; the given ones only group rows. Such an import is never retried. */
  readonly forceAutoNumber?: boolean | undefined;
  readonly dateFormat?: 'YMD' | 'MDY' | 'DMY' | undefined;
  /** What the import returns: the number of records, or their ids. `auto_ids` needs `forceAutoNumber`. */
  readonly returnContent?: 'count' | 'ids' | 'auto_ids' | undefined;
  /** REDCap answers immediately and imports later. The result is not reported. */
  readonly backgroundProcess?: boolean | undefined;
  /**
   * The caller guarantees that storing these rows twice has the same effect as storing them once: every record id and
   * repeat instance is given, and none is `new`. Only then is the import retried after a failure. With
   * `forceAutoNumber` or `backgroundProcess` it is never retried. If the import fails, `isInDoubt` also covers the
   * attempts before the last.
   */
  readonly isIdempotent?: boolean | undefined;
}

export interface ImportDataOptions extends ImportRecordsOptions, PartOptions {
  /** The format of the text. */
  readonly format: 'json' | 'csv';
  readonly csvDelimiter?: CsvDelimiter | undefined;
}

/** The result of an import. `count` counts records, not rows. */
export interface ImportResult {
  readonly count: number;
  /** The record ids with `returnContent: 'ids'`, the newly assigned ones with `auto_ids`. */
  readonly ids?: readonly string[];
}

/** Project settings. @see docs/protocol/redcap.md 9.5 (client): REDCap's 0 and 1 are booleans here */
export interface ProjectInfo {
  readonly id: number;
  readonly title: string;
  /** `YYYY-MM-DD HH:MM:SS` in the server's time zone. */
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
   * Iterates over the entries, newest first, in constant memory. Nothing is requested before the first entry is read,
   * and leaving the loop cancels the request in progress.
   */
  stream(selection?: LogSelection): AsyncIterable<LogEntry>;
}

/**
 * A typed client of one REDCap project. Operations throw only the errors of this package: `UpstreamRejectedError` (a
 * parameter), `UpstreamRefusedError` (the token), `UpstreamForbiddenError` (a right of the token's user),
 * `NotSupportedUpstreamError` (this version of REDCap), `UpstreamInvalidError`, `UpstreamUnavailableError`,
 * `UpstreamTimeoutError`, `OverloadedError`, `CancelledError`.
 */
export interface CrfClient {
  /** Returns REDCap's version, such as `16.1.9`. */
  getVersion(options?: CallOptions): Promise<string>;
  /** Checks that REDCap responds now, by requesting its version and bypassing the cache. */
  ping(options?: CallOptions): Promise<void>;
  getProjectInfo(options?: CallOptions): Promise<ProjectInfo>;
  /** Returns the data dictionary, in its own order. */
  getMetadata(
    options?: CallOptions & {
      readonly fields?: readonly string[] | undefined;
      readonly forms?: readonly string[] | undefined;
    },
  ): Promise<Field[]>;

  /** Returns all rows in one array. For large projects use `streamRecords`. */
  exportRecords(options?: ExportRecordsOptions): Promise<RecordRow[]>;
  /**
   * Returns REDCap's unchanged bytes of one export call, as JSON or CSV. Rejects before the first byte if the answer is
   * not an export; destroys the stream if the answer breaks off later. A CSV export without rows is empty.
   */
  openRecords(options: OpenRecordsOptions): Promise<Readable>;
  /** Iterates over rows in constant memory. */
  streamRecords(options?: StreamRecordsOptions): AsyncIterable<RecordRow>;
  /**
   * Returns one record as a nested document with typed values: its events, their instruments, and the values of each.
   *
   * @throws {RecordNotFoundError} the project has no such record
   */
  getRecord(recordId: string, options?: GetRecordOptions): Promise<RecordDocument>;
  /** Imports rows in one call: REDCap stores all of them or, with an `InvalidRecordsError`, none. */
  importRecords(rows: readonly ImportRow[], options?: ImportRecordsOptions): Promise<ImportResult>;
  /**
   * Iterates over the rows of one instrument, with typed values: record id, event, repeat instance, the instrument's
   * fields and its form status, and no columns of other instruments.
   *
   * @throws {InvalidRequestError} the project has no such instrument
   */
  rows(instrument: string, options?: InstrumentRowsOptions): AsyncIterable<TypedRow>;
  /**
   * Imports rows with typed values, as returned by `rows`, in one call.
   *
   * @throws {InvalidRequestError} a value cannot be written for REDCap, such as a code that is not one of the choices
   */
  importRows(rows: readonly TypedRow[], options?: ImportRecordsOptions): Promise<ImportResult>;
  /**
   * Imports text that is already in REDCap's format, in one call. A buffer holds UTF-8 and must not change during the
   * call.
   */
  importData(data: string | Buffer, options: ImportDataOptions): Promise<ImportResult>;
  /**
   * Checks filter logic against the project, as every export does before it is sent.
   *
   * @returns notes about what could not be checked or is likely a mistake; empty if there are none
   * @throws {InvalidRequestError} a bracket is not closed, a field, event or choice does not exist, or a comparison can
   *   never be true; each entry names the position: `at character 14: [agee] is not a field of this project`
   */
  checkFilterLogic(filterLogic: string, options?: CallOptions): Promise<readonly LogicNote[]>;
  /**
   * Returns the project's user with an email address, compared case-insensitively.
   *
   * @throws {UserNotFoundError} no user has the address
   * @throws {AmbiguousUserError} several users have it
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
   * Calls a content that has no method here, such as REDCap's mobile app, MyCap or an external module. The call is
   * subject to the same limits as other calls, and is retried only if `isRead` is set.
   *
   * @param parameters under REDCap's own names; lists are sent as `name[0]`
   * @param schema the expected answer; any JSON by default
   */
  call<Value = unknown>(
    content: string,
    parameters?: WireParameters,
    schema?: AnswerSchema<Value>,
    options?: CustomCallOptions,
  ): Promise<Value>;

  /** Clears the cache (version, project information, data dictionary). */
  clearCache(): void;
  /** Closes idle connections and cancels calls in progress. */
  close(): void;
}
