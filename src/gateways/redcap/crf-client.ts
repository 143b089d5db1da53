import type { LogicNote } from '../../domain/logic/logic-problem.js';
import type { Readable } from 'node:stream';
import type { FieldLogic, Logic } from '../../domain/logic/builder.js';
import type { CallOptions } from './call-options.js';
import type { Contents } from './contents/contents.js';
import type { AnswerSchema, CustomCallOptions } from './contents/custom-call.js';
import type { LogEntry, LogSelection } from './contents/log.js';
import type { ForwardedAnswer, ForwardedCall } from './forwarded.js';
import type { ProjectUser } from './contents/users.js';
import type {
  ExportRecordsOptions,
  GetRecordOptions,
  InstrumentRowsOptions,
  OpenRecordsOptions,
  StreamRecordsOptions,
} from './record-export-options.js';
import type {
  ImportDataOptions,
  CheckedImportOptions,
  CheckedImportResult,
  ImportResult,
  ImportRow,
  ImportText,
} from './record-import-options.js';
import type { RecordDocument } from './record-document.js';
import type { RecordRow, TypedRow } from './record-row.js';
import type { WireParameters } from './wire-parameters.js';

export type { CallOptions, PartOptions, WriteOptions } from './call-options.js';
export type { Arm, ArmFilter, ArmNumber, ReplaceOptions } from './contents/arms.js';
export type { FilterLogicText, LabelText, RepeatInstanceNumber } from './contents/argument-values.js';
export type {
  DagNameText,
  DataAccessGroup,
  DataAccessGroupAssignment,
  DataAccessGroupChange,
} from './contents/dags.js';
export type { ExportFieldName, FieldSelection, FieldValidation } from './contents/fields.js';
export type { ProjectEvent, ProjectEventChange } from './contents/events.js';
export type { Instrument, InstrumentEventMapping, RepeatingInstrument } from './contents/instruments.js';
export type {
  NewProject,
  ProjectSettings,
  ProjectXmlContent,
  ProjectXmlOptions,
} from './contents/project.js';
export type {
  DeleteRecordsOptions,
  Randomization,
  RandomizeOptions,
  RecordPart,
  RenameRecordOptions,
} from './contents/records.js';
export type { FormRights, Rights, RightsChange, RightsHolder } from './contents/rights.js';
export type { RoleNameText, UserRole, UserRoleAssignment, UserRoleChange } from './contents/roles.js';
export type { ProjectUser, UsernameText, UserRights, UserRightsChange } from './contents/users.js';
export type {
  ChangeRange,
  CsvForm,
  ExportProgress,
  GetRecordOptions,
  ExportRecordsOptions,
  InstrumentRowsOptions,
  OpenRecordsOptions,
  RecordSelection,
  RowSelection,
  StreamRecordsOptions,
  TypedForm,
  ValueForm,
} from './record-export-options.js';
export type {
  CheckForm,
  IgnoredColumn,
  ImportComparison,
  RepeatedRow,
  StoringForm,
  ImportDataOptions,
  ImportText,
  CheckedImportOptions,
  CheckedImportResult,
  ImportRecordsOptions,
  ImportResult,
  ImportRow,
  ImportCell,
  ImportChange,
  ImportChanges,
  Lookalike,
  RowPlace,
  RowWarning,
  UnstoredValue,
  ImportConflicts,
  Verification,
} from './record-import-options.js';
export type { ProjectInfo } from './rows.js';
export type {
  EventDocument,
  InstanceDocument,
  InstrumentDocument,
  RecordDocument,
} from './record-document.js';
export type { RecordRow } from './record-row.js';
export type { ForwardedAnswer, ForwardedCall } from './forwarded.js';
export type { LogicNote };
export type { TypedRow, TypedValue } from './record-row.js';
export type { LogEntry, LogSelection } from './contents/log.js';
export type {
  FileInfo,
  FolderNumber,
  NewFolder,
  RepositoryEntry,
  RepositoryFileNumber,
} from './contents/file-repository.js';
export type { FileDownload, FilePlace, FileUpload, FormPlace } from './contents/files.js';
export type { PdfForms, PdfSelection } from './contents/pdf.js';
export type { OpenReportOptions, ReportForm, ReportNumber } from './contents/reports.js';
export type { SurveyParticipant, SurveyPlace } from './contents/surveys.js';

/** What lists the fields of a project. */
export interface FieldSource {
  readonly fields: Pick<Contents['fields'], 'list'>;
}

/** What says of a project what it is. */
export interface InfoSource {
  readonly project: Pick<Contents['project'], 'getInfo'>;
}

type LogCalls = Contents['log'];

/** The log of a project. */
export interface LogGroup extends LogCalls {
  /**
   * Iterates over the entries, newest first, in constant memory. Nothing is requested before the first entry is read,
   * and leaving the loop cancels the request in progress.
   */
  stream(selection?: LogSelection): AsyncIterable<LogEntry>;
}

/**
 * The calls of REDCap's API: each method makes one. This is the seam of a client: whatever is to hold for every call,
 * such as who may see what, is a decorator that names every member, and `composeClient` makes a client of it.
 */
export interface CrfCalls extends Contents {
  /** Returns REDCap's version, such as `16.1.9`. */
  getVersion(options?: CallOptions): Promise<string>;
  /** Checks that REDCap responds now, by requesting its version and bypassing the cache. */
  ping(options?: CallOptions): Promise<void>;
  /** Returns all rows in one array. For large projects use `streamRecords`. */
  exportRecords(options?: ExportRecordsOptions): Promise<RecordRow[]>;
  /**
   * Returns REDCap's unchanged bytes of one export call, as JSON or CSV. Rejects before the first byte if the answer is
   * not an export; destroys the stream if the answer breaks off later. A CSV export without rows is empty.
   */
  openRecords(options: OpenRecordsOptions): Promise<Readable>;
  /**
   * Imports text that is already in REDCap's format, in one call. Bytes are UTF-8 and must not change during the call.
   * The text is not read: neither is it checked, nor is REDCap's `count` compared with its records. Compare it
   * yourself, or use `importRecords`.
   */
  importData(data: ImportText, options: ImportDataOptions): Promise<ImportResult>;
  /**
   * Rejects with the error with which `importData` would refuse the text before REDCap is asked, and stores nothing. REDCap
   * itself refuses nothing beforehand; a decorator of the calls that does, such as the policies of the service, says it
   * here too, so that a dry run is told what storing would be.
   *
   * @param data makes the text; it is called only where something decides about it
   */
  checkImport(data: () => ImportText | Promise<ImportText>, options: ImportDataOptions): Promise<void>;

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

  /**
   * Makes a call as a client of REDCap's API has made it: REDCap's own answer to it, data or refusal, for whoever answers
   * that API in its place. It is subject to the same limits as other calls.
   *
   * @param call whose parameters are sent as they are, with the token of this client
   */
  forward(call: ForwardedCall, options?: CallOptions): Promise<ForwardedAnswer>;

  /** Clears the cache (version, project information, data dictionary). */
  clearCache(): void;
  /** Closes idle connections and cancels calls in progress. */
  close(): void;
}

/**
 * A typed client of one REDCap project: its calls, and operations that make several of them. Operations throw only the
 * errors of this package: `UpstreamRejectedError` (a parameter), `UpstreamRefusedError` (the token),
 * `UpstreamForbiddenError` (a right of the token's user), `NotSupportedUpstreamError` (this version of REDCap),
 * `UpstreamInvalidError`, `UpstreamUnavailableError`, `UpstreamTimeoutError`, `OverloadedError`, `CancelledError`.
 */
export interface CrfClient extends CrfCalls {
  readonly log: LogGroup;
  /** Iterates over rows in constant memory. After an abort of `signal`, the next row is a `CancelledError`. */
  streamRecords(options?: StreamRecordsOptions): AsyncIterable<RecordRow>;
  /**
   * Returns one record as a nested document with typed values: its events, their instruments, and the values of each.
   *
   * @throws {ProblemError} `record_not_found`: the project has no such record
   */
  getRecord(record: string, options?: GetRecordOptions): Promise<RecordDocument>;
  /**
   * Imports rows in one call: REDCap stores all of them or, with an `InvalidRecordsError`, none. They are checked first,
   * unless `check` is false.
   *
   * @throws {ImportIncompleteError} REDCap did not count every record
   */
  importRecords(rows: readonly ImportRow[], options?: CheckedImportOptions): Promise<CheckedImportResult>;
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
  importRows(rows: readonly TypedRow[], options?: CheckedImportOptions): Promise<CheckedImportResult>;
  /**
   * Checks filter logic against the project, as every export does before it is sent.
   *
   * @returns notes about what could not be checked or is likely a mistake; empty if there are none
   * @throws {InvalidRequestError} a bracket is not closed, a field, event or choice does not exist, or a comparison can
   *   never be true; each entry names the position: `at character 14: [agee] is not a field of this project`
   */
  checkFilterLogic(filterLogic: string | Logic, options?: CallOptions): Promise<readonly LogicNote[]>;
  /**
   * Returns the user with an email address, compared case-insensitively, of REDCap's own list of the project's users
   * (User Rights). People of whom only a record has the address are not found: `GET /people/{email}` and `crf people`
   * find them too.
   *
   * @throws {ProblemError} `user_not_found`: no user has the address
   * @throws {ProblemError} `ambiguous_user`: several users have it
   */
  findProjectUser(email: string, options?: CallOptions): Promise<ProjectUser>;
  /** Begins filter logic with safe quoting: `client.where('age').gte(18)`. */
  where(field: string): FieldLogic;
}
