import type { Readable } from 'node:stream';
import { DataDictionary } from '../dictionary/data-dictionary.js';
import type { Field } from '../dictionary/field.js';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { checkArguments, object, options } from '../errors/check-arguments.js';
import { aBoolean, checkedLater } from '../errors/check-options.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { ImportIncompleteError } from '../errors/upstream-errors.js';
import {
  CALL,
  CHECKED_IMPORT,
  EXPORT,
  IMPORT_DATA,
  OPEN,
  RECORD,
  ROWS,
  STREAM,
} from '../gateways/redcap/call-rules.js';
import { anyText } from '../gateways/redcap/contents/checked-values.js';
import type { AnswerSchema, CustomCallOptions } from '../gateways/redcap/contents/custom-call.js';
import { LOG_SELECTION } from '../gateways/redcap/contents/logs.js';
import type {
  CallOptions,
  CheckedImportOptions,
  CheckedImportResult,
  CrfCalls,
  CrfClient,
  ExportRecordsOptions,
  GetRecordOptions,
  ImportDataOptions,
  ImportRecordsOptions,
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
import { checkRows, toImportData } from '../gateways/redcap/import-parameters.js';
import { withSuggestions } from '../gateways/redcap/suggest-names.js';
import { userOfEmail } from '../gateways/redcap/user-of-email.js';
import type { WireParameters } from '../gateways/redcap/wire-parameters.js';
import { Email } from '../identifiers/email.js';
import { Logic, where, type FieldLogic } from '../logic/builder.js';
import type { LogicProblem } from '../logic/logic-problem.js';
import { checkFilterLogic } from '../records/filter/check-filter-logic.js';
import { streamLog } from '../services/logs/stream-log.js';
import { streamRecords } from '../records/export/stream-records.js';
import { importRows } from '../records/import/import-rows.js';
import { getRecord } from '../services/records/record-reader.js';
import { instrumentRows } from '../records/typed/instrument-rows.js';
import { RowUntyper } from '../records/typed/row-untyper.js';

/**
 * Makes a client of the calls of REDCap's API, by adding the operations that make several of them, such as batched
 * exports and filters that are checked before they are sent. Every operation makes its calls through those that are
 * given, so that it obeys a decorator of them.
 */
export function composeClient(calls: CrfCalls): CrfClient {
  return new ComposedClient(calls);
}

/** Returns the calls that a client is composed of, for a decorator to wrap; a client of another kind is its own calls. */
export function callsOf(client: CrfClient): CrfCalls {
  return ComposedClient.callsOf(client);
}

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

  static callsOf(client: CrfClient): CrfCalls {
    return #calls in client ? client.#calls : client;
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
  ): Promise<readonly LogicProblem[]> {
    const { signal, caller } = options;
    const text = filterLogic instanceof Logic ? filterLogic.toString() : filterLogic;
    return checkFilterLogic(anyText('filterLogic', text), this.#calls, { signal, caller });
  }

  async exportRecords(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    await this.#checkFilter(options);
    if (options.limit === undefined) {
      return this.#suggesting(this.#calls.exportRecords(options), options);
    }
    const rows: RecordRow[] = [];
    for await (const row of this.streamRecords(options)) rows.push(row);
    return rows;
  }

  async openRecords(options: OpenRecordsOptions): Promise<Readable> {
    // For an export in several calls, the filter was checked before the first one.
    if (!options.isContinuation) await this.#checkFilter(options);
    return this.#suggesting(this.#calls.openRecords(options), options);
  }

  streamRecords(options: StreamRecordsOptions = {}): AsyncIterable<RecordRow> {
    return streamRecords(this, options);
  }

  rows(instrument: string, options: InstrumentRowsOptions = {}): AsyncIterable<TypedRow> {
    return instrumentRows(this, anyText('instrument', instrument), options);
  }

  getRecord(recordId: string, options: GetRecordOptions = {}): Promise<RecordDocument> {
    return getRecord(this, recordId, options);
  }

  async importRecords(
    rows: readonly ImportRow[],
    options: CheckedImportOptions = {},
  ): Promise<CheckedImportResult> {
    const {
      check,
      dryRun: _dryRun,
      limits: _limits,
      keepMisfits: _keep,
      recordIdMinLength: _length,
      ...sent
    } = options;
    if (check === false) refuseChecks(options);
    const json = toImportData(rows);
    if (rows.length === 0) return { count: 0 };
    return check === false ? this.#importUnchecked(json, rows.length, sent) : importRows(this, json, options);
  }

  async importRows(
    rows: readonly TypedRow[],
    options: CheckedImportOptions = {},
  ): Promise<CheckedImportResult> {
    checkRows(rows);
    const { signal, caller } = options;
    const untyper = new RowUntyper(DataDictionary.of(await this.getMetadata({ signal, caller })));
    const problems: FieldProblem[] = [];
    const raw = rows.map((row, index) =>
      untyper.untype(row, ({ field, message }) =>
        problems.push({ field: `rows[${index}].${field}`, message }),
      ),
    );
    if (problems.length > 0) throw new InvalidRequestError(problems);
    return this.importRecords(raw, options);
  }

  importData(data: string | Uint8Array | Blob, options: ImportDataOptions): Promise<ImportResult> {
    return this.#calls.importData(data, options);
  }

  async findUserByEmail(email: string, options: CallOptions = {}): Promise<ProjectUser> {
    const address = Email(email);
    return userOfEmail(await this.users.export(options), address);
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

  async #checkFilter({ filterLogic, signal, caller }: ExportRecordsOptions): Promise<void> {
    const isText = typeof filterLogic === 'string' && filterLogic.trim() !== '';
    if (isText || filterLogic instanceof Logic) {
      await this.checkFilterLogic(filterLogic, { signal, caller });
    }
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

  /** Rows that are not looked at have at least one record, and at most one each. */
  async #importUnchecked(json: string, sent: number, options: ImportRecordsOptions): Promise<ImportResult> {
    const result = await this.#calls.importData(json, { ...options, format: 'json' });
    const { count, isQueued } = result;
    const isPlausible = (isQueued && options.backgroundProcess) || (count >= 1 && count <= sent);
    if (isPlausible) return result;
    throw new ImportIncompleteError(0, 0, { sent, counted: count }, { doubtful: [{ from: 0, to: sent }] });
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

/** Refuses options that only a check can follow. @throws {InvalidRequestError} names the first */
function refuseChecks(options: CheckedImportOptions): void {
  const name = (['dryRun', 'limits', 'keepMisfits', 'recordIdMinLength'] as const).find(
    (option) => options[option] !== undefined && options[option] !== false,
  );
  if (name !== undefined) throw new InvalidRequestError([{ field: name, message: 'needs check: true' }]);
}

checkArguments(ComposedClient, {
  getVersion: [options(CALL)],
  ping: [options(CALL)],
  getProjectInfo: [options(CALL)],
  getMetadata: [options({ ...CALL, fields: checkedLater, forms: checkedLater })],
  exportRecords: [options(EXPORT)],
  openRecords: [object('options', OPEN)],
  streamRecords: { throws: [options(STREAM)] },
  getRecord: [null, options(RECORD)],
  importRecords: [null, options(CHECKED_IMPORT)],
  rows: { throws: [null, options(ROWS)] },
  importRows: [null, options(CHECKED_IMPORT)],
  importData: [null, object('options', IMPORT_DATA)],
  checkFilterLogic: [null, options(CALL)],
  findUserByEmail: [null, options(CALL)],
  call: [null, null, null, options({ ...CALL, isRead: aBoolean })],
  where: { throws: [null] },
});

checkArguments(ComposedLogs, {
  export: [options(LOG_SELECTION)],
  open: [options(LOG_SELECTION)],
  stream: { throws: [options(LOG_SELECTION)] },
});
