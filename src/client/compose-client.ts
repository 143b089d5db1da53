import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Field } from '../dictionary/field.js';
import { argument, checked, identifier, options, type ArgumentsOf } from '../errors/check-arguments.js';
import { CALL } from '../gateways/redcap/call-options.js';
import { anyText, logicText, recordId } from '../gateways/redcap/contents/argument-values.js';
import { ARM_ARGUMENTS } from '../gateways/redcap/contents/arms.js';
import {
  CUSTOM_CALL,
  type AnswerSchema,
  type CustomCallOptions,
} from '../gateways/redcap/contents/custom-call.js';
import { DAG_ARGUMENTS } from '../gateways/redcap/contents/dags.js';
import { DICTIONARY_ARGUMENTS, metadataOptions } from '../gateways/redcap/contents/dictionary.js';
import { EVENT_ARGUMENTS } from '../gateways/redcap/contents/events.js';
import { FILE_REPOSITORY_ARGUMENTS } from '../gateways/redcap/contents/file-repository.js';
import { FILE_ARGUMENTS } from '../gateways/redcap/contents/files.js';
import { INSTRUMENT_ARGUMENTS } from '../gateways/redcap/contents/instruments.js';
import { LOG_ARGUMENTS, logSelection } from '../gateways/redcap/contents/logs.js';
import { PDF_ARGUMENTS } from '../gateways/redcap/contents/pdf.js';
import { PROJECT_ARGUMENTS } from '../gateways/redcap/contents/projects.js';
import { RECORD_ARGUMENTS } from '../gateways/redcap/contents/records.js';
import { REPORT_ARGUMENTS } from '../gateways/redcap/contents/reports.js';
import { ROLE_ARGUMENTS } from '../gateways/redcap/contents/roles.js';
import { SURVEY_ARGUMENTS } from '../gateways/redcap/contents/surveys.js';
import { USER_ARGUMENTS } from '../gateways/redcap/contents/users.js';
import type {
  CallOptions,
  CheckedImportOptions,
  CheckedImportResult,
  CrfCalls,
  CrfClient,
  ExportRecordsOptions,
  GetRecordOptions,
  ImportDataOptions,
  ImportResult,
  ImportRow,
  InstrumentRowsOptions,
  LogEntry,
  LogGroup,
  LogSelection,
  MetadataOptions,
  OpenRecordsOptions,
  ProjectInfo,
  ProjectUser,
  RecordDocument,
  RecordRow,
  StreamRecordsOptions,
  TypedRow,
} from '../gateways/redcap/crf-client.js';
import {
  exportOptions,
  openOptions,
  recordOptions,
  rowsOptions,
  streamOptions,
} from '../gateways/redcap/record-export-options.js';
import {
  checkedImportOptions,
  importData,
  importDataOptions,
  rowsToImport,
} from '../gateways/redcap/record-import-options.js';
import { withSuggestions } from '../gateways/redcap/suggest-names.js';
import { userOfEmail } from '../gateways/redcap/user-of-email.js';
import type { WireParameters } from '../gateways/redcap/wire-parameters.js';
import { Email } from '../identifiers/email.js';
import { where, type FieldLogic, type Logic } from '../logic/builder.js';
import type { LogicNote } from '../logic/logic-problem.js';
import { checkedFilter } from '../records/filter/checked-filter.js';
import { checkFilterLogic } from '../records/filter/check-filter-logic.js';
import { streamLog } from '../services/logs/stream-log.js';
import { streamRecords } from '../records/export/stream-records.js';
import { importRows } from '../records/import/import-rows.js';
import { getRecord } from '../services/records/record-reader.js';
import { instrumentRows } from '../records/typed/instrument-rows.js';
import { untypeRows } from '../records/typed/row-untyper.js';

/**
 * Makes a client of the calls of REDCap's API, by adding the operations that make several of them, such as batched
 * exports and filters that are checked before they are sent. Every operation makes its calls through those that are
 * given, so that it obeys a decorator of them. The arguments of every method are parsed here, and nowhere below.
 */
export function composeClient(calls: CrfCalls): CrfClient {
  const client = checked<CrfClient>(new ComposedClient(calls), ARGUMENTS);
  CALLS.set(client, calls);
  return client;
}

/** Returns the calls that a client is composed of, for a decorator to wrap; a client of another kind is its own calls. */
export function callsOf(client: CrfClient): CrfCalls {
  return CALLS.get(client) ?? client;
}

const CALLS = new WeakMap<CrfClient, CrfCalls>();

class ComposedClient implements CrfClient {
  readonly #calls: CrfCalls;
  readonly arms: CrfClient['arms'];
  readonly events: CrfClient['events'];
  readonly instruments: CrfClient['instruments'];
  readonly dictionary: CrfClient['dictionary'];
  readonly projects: CrfClient['projects'];
  readonly dags: CrfClient['dags'];
  readonly users: CrfClient['users'];
  readonly roles: CrfClient['roles'];
  readonly records: CrfClient['records'];
  readonly surveys: CrfClient['surveys'];
  readonly logs: ComposedLogs;
  readonly files: CrfClient['files'];
  readonly fileRepository: CrfClient['fileRepository'];
  readonly pdf: CrfClient['pdf'];
  readonly reports: CrfClient['reports'];

  constructor(calls: CrfCalls) {
    this.#calls = calls;
    this.arms = calls.arms;
    this.events = calls.events;
    this.instruments = calls.instruments;
    this.dictionary = calls.dictionary;
    this.projects = calls.projects;
    this.dags = calls.dags;
    this.users = calls.users;
    this.roles = calls.roles;
    this.records = calls.records;
    this.surveys = calls.surveys;
    this.logs = new ComposedLogs(calls.logs);
    this.files = calls.files;
    this.fileRepository = calls.fileRepository;
    this.pdf = calls.pdf;
    this.reports = calls.reports;
  }

  getVersion(options?: CallOptions): Promise<string> {
    return this.#calls.getVersion(options);
  }

  ping(options?: CallOptions): Promise<void> {
    return this.#calls.ping(options);
  }

  getProjectInfo(options?: CallOptions): Promise<ProjectInfo> {
    return this.#calls.getProjectInfo(options);
  }

  getMetadata(options?: MetadataOptions): Promise<Field[]> {
    return this.#calls.getMetadata(options);
  }

  /**
   * The result is not cached, because a filter contains values of records. The structure it is checked against is
   * cached.
   */
  async checkFilterLogic(
    filterLogic: string | Logic,
    options: CallOptions = {},
  ): Promise<readonly LogicNote[]> {
    const { signal, caller } = options;
    return checkFilterLogic(filterLogic.toString(), this.#calls, { signal, caller });
  }

  async exportRecords(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    const filterLogic = await checkedFilter(this, options.filterLogic, options);
    const checked = { ...options, filterLogic };
    if (options.limit === undefined) {
      return this.#suggesting(this.#calls.exportRecords(checked), checked);
    }
    const rows: RecordRow[] = [];
    for await (const row of this.streamRecords(checked)) rows.push(row);
    return rows;
  }

  async openRecords(options: OpenRecordsOptions): Promise<Readable> {
    // For an export in several calls, the filter was checked before the first one.
    if (!options.isContinuation) await checkedFilter(this, options.filterLogic, options);
    return this.#suggesting(this.#calls.openRecords(options), options);
  }

  streamRecords(options: StreamRecordsOptions = {}): AsyncIterable<RecordRow> {
    return streamRecords(this, options);
  }

  rows(instrument: string, options: InstrumentRowsOptions = {}): AsyncIterable<TypedRow> {
    return instrumentRows(this, instrument, options);
  }

  getRecord(recordId: string, options: GetRecordOptions = {}): Promise<RecordDocument> {
    return getRecord(this, recordId, options);
  }

  importRecords(
    rows: readonly ImportRow[],
    options: CheckedImportOptions = {},
  ): Promise<CheckedImportResult> {
    return importRows(this, rows, options);
  }

  async importRows(
    rows: readonly TypedRow[],
    options: CheckedImportOptions = {},
  ): Promise<CheckedImportResult> {
    return importRows(this, await untypeRows(this, rows, options), options);
  }

  importData(data: string | Uint8Array | Blob, options: ImportDataOptions): Promise<ImportResult> {
    return this.#calls.importData(data, options);
  }

  async findUserByEmail(email: string, options: CallOptions = {}): Promise<ProjectUser> {
    return userOfEmail(await this.users.export(options), email, ({ username }) => username);
  }

  where(field: string): FieldLogic {
    return where(field);
  }

  call<Value = unknown>(
    content: string,
    parameters?: WireParameters,
    schema?: AnswerSchema<Value>,
    options?: CustomCallOptions,
  ): Promise<Value> {
    return this.#calls.call(content, parameters, schema, options);
  }

  clearCache(): void {
    this.#calls.clearCache();
  }

  close(): void {
    this.#calls.close();
  }

  /** Adds suggestions to an error about unknown names. */
  async #suggesting<Value>(
    exported: Promise<Value>,
    { signal, caller, traceparent, ...selection }: ExportRecordsOptions,
  ): Promise<Value> {
    return exported.catch(async (error: unknown) => {
      throw await withSuggestions(error, selection, this.#calls, { signal, caller, traceparent });
    });
  }
}

/** The log of a project, with iteration over its entries. */
class ComposedLogs implements LogGroup {
  constructor(private readonly logs: CrfCalls['logs']) {}

  export(selection?: LogSelection): Promise<LogEntry[]> {
    return this.logs.export(selection);
  }

  open(selection?: LogSelection): Promise<Readable> {
    return this.logs.open(selection);
  }

  stream(selection: LogSelection = {}): AsyncIterable<LogEntry> {
    return streamLog(this.logs, selection);
  }
}

const name = argument('field', z.custom<string>());
const filterLogic = argument('filterLogic', logicText);

const ARGUMENTS: ArgumentsOf<CrfClient> = {
  getVersion: [options(CALL)],
  ping: [options(CALL)],
  getProjectInfo: [options(CALL)],
  getMetadata: [metadataOptions],
  exportRecords: [exportOptions],
  openRecords: [openOptions],
  streamRecords: { throws: [streamOptions] },
  getRecord: [argument('recordId', recordId), recordOptions],
  importRecords: [rowsToImport<ImportRow>(), checkedImportOptions],
  rows: { throws: [argument('instrument', anyText), rowsOptions] },
  importRows: [rowsToImport<TypedRow>(), checkedImportOptions],
  importData: [importData, importDataOptions],
  checkFilterLogic: [filterLogic, options(CALL)],
  findUserByEmail: [argument('email', identifier(Email)), options(CALL)],
  // Which names there are, is for the builder of the logic to say.
  where: { throws: [name] },
  arms: ARM_ARGUMENTS,
  events: EVENT_ARGUMENTS,
  instruments: INSTRUMENT_ARGUMENTS,
  dictionary: DICTIONARY_ARGUMENTS,
  projects: PROJECT_ARGUMENTS,
  dags: DAG_ARGUMENTS,
  users: USER_ARGUMENTS,
  roles: ROLE_ARGUMENTS,
  records: RECORD_ARGUMENTS,
  surveys: SURVEY_ARGUMENTS,
  logs: { ...LOG_ARGUMENTS, stream: { throws: [logSelection] } },
  files: FILE_ARGUMENTS,
  fileRepository: FILE_REPOSITORY_ARGUMENTS,
  pdf: PDF_ARGUMENTS,
  reports: REPORT_ARGUMENTS,
  call: CUSTOM_CALL,
  clearCache: { throws: [] },
  close: { throws: [] },
};
