import type { Readable } from 'node:stream';
import { ImportIncompleteError } from '../../errors/upstream-errors.js';
import type { Field } from '../../dictionary/field.js';
import { Email } from '../../identifiers/email.js';
import { FieldName } from '../../identifiers/field-name.js';
import { InstrumentName } from '../../identifiers/instrument-name.js';
import { Arms } from './contents/arms.js';
import { callOf, ContentCalls } from './contents/content-calls.js';
import { customCall, type AnswerSchema, type CustomCallOptions } from './contents/custom-call.js';
import { Dags } from './contents/dags.js';
import { Dictionary } from './contents/dictionary.js';
import { Events } from './contents/events.js';
import { FileRepository } from './contents/file-repository.js';
import { Files } from './contents/files.js';
import { Instruments } from './contents/instruments.js';
import { Logs } from './contents/logs.js';
import { narrowingList } from './contents/named-list.js';
import { Pdf } from './contents/pdf.js';
import { Projects } from './contents/projects.js';
import { Records } from './contents/records.js';
import { Reports } from './contents/reports.js';
import { Roles } from './contents/roles.js';
import { Surveys } from './contents/surveys.js';
import { Users } from './contents/users.js';
import type {
  CallOptions,
  CrfClient,
  ExportRecordsOptions,
  ImportDataOptions,
  ImportRecordsOptions,
  ImportResult,
  ImportRow,
  OpenRecordsOptions,
  ProjectInfo,
  ProjectUser,
  RecordRow,
} from './crf-client.js';
import { isRepeatableImport, toImportData, toImportParameters } from './import-parameters.js';
import { openExport } from './open-export.js';
import { toExportParameters } from './record-parameters.js';
import { RecordRows } from './record-row.js';
import type { RedcapWire, WireOptions } from './redcap-wire.js';
import type { SharedReads } from './resilience/shared-reads.js';
import * as rows from './rows.js';
import { withSuggestions } from './suggest-names.js';
import { userOfEmail } from './user-of-email.js';
import { VersionNamingWire } from './version-naming-wire.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * The typed operations of REDCap's API: one method per content and action, and one call per method. Every method throws
 * the errors listed at `CrfClient`.
 */
export class RedcapGateway implements Omit<
  CrfClient,
  'streamRecords' | 'checkFilterLogic' | 'logs' | 'rows' | 'importRows' | 'getRecord' | 'where'
> {
  /** Used to ask for the version after a refusal, which must not lead to another such request. */
  readonly #bareWire: RedcapWire;
  readonly #wire: RedcapWire;
  readonly #reads: SharedReads;
  readonly #calls: ContentCalls;
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
  readonly logs: Logs;
  readonly files: Files;
  readonly fileRepository: FileRepository;
  readonly pdf: Pdf;
  readonly reports: Reports;

  /**
   * @param wire makes the calls, with or without resilience
   * @param reads shares and caches data that seldom changes
   */
  constructor(wire: RedcapWire, reads: SharedReads) {
    this.#bareWire = wire;
    this.#wire = new VersionNamingWire(wire, (options) => this.getVersion(options));
    this.#reads = reads;
    const calls = new ContentCalls(this.#wire, reads);
    this.#calls = calls;
    this.arms = new Arms(calls);
    this.events = new Events(calls);
    this.instruments = new Instruments(calls);
    this.dictionary = new Dictionary(calls);
    this.projects = new Projects(calls);
    this.dags = new Dags(calls);
    this.users = new Users(calls);
    this.roles = new Roles(calls);
    this.records = new Records(calls);
    this.surveys = new Surveys(calls);
    this.logs = this.makeLogs(calls);
    this.files = new Files(calls);
    this.fileRepository = new FileRepository(calls);
    this.pdf = new Pdf(calls);
    this.reports = new Reports(this.#wire, calls);
  }

  /** Overridden by the client library, whose log can make several calls. */
  protected makeLogs(calls: ContentCalls): Logs {
    return new Logs(calls);
  }

  /** @see docs/protocol/redcap.md 13.3, `content=version` (wire): plain text in every format */
  getVersion(options: CallOptions = {}): Promise<string> {
    return this.#reads.get('version', options, (shared) => this.#askVersion({ ...shared, isSafe: true }));
  }

  async ping(options: CallOptions = {}): Promise<void> {
    await this.#askVersion({ ...callOf(options), isSafe: true, isProbe: true });
  }

  /** @see docs/protocol/redcap.md 9.5, `content=project` (client): one object; newer versions add keys */
  getProjectInfo(options: CallOptions = {}): Promise<ProjectInfo> {
    return this.#calls.read({ content: 'project' }, rows.ProjectRow, options);
  }

  /** @see docs/protocol/redcap.md 8.1, `content=metadata` (wire): the whole dictionary, or the requested rows */
  async getMetadata(
    options: CallOptions & {
      fields?: readonly string[] | undefined;
      forms?: readonly string[] | undefined;
    } = {},
  ): Promise<Field[]> {
    const fields = narrowingList('fields', options.fields)?.map((name) => FieldName(name));
    const forms = narrowingList('forms', options.forms)?.map((name) => InstrumentName(name));
    return this.#calls.list({ content: 'metadata', fields, forms }, rows.FieldRows, options);
  }

  /** @see docs/protocol/redcap.md 4, `content=record` (wire, client) */
  async exportRecords(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    const parameters = toExportParameters(options);
    const call = { ...callOf(options), isSafe: true };
    return this.#explained(this.#wire.json(parameters, RecordRows, call), options);
  }

  /** @see docs/protocol/redcap.md 4, `content=record` (wire, client); 1.8: an empty CSV export has no header */
  async openRecords(options: OpenRecordsOptions): Promise<Readable> {
    const parameters = toExportParameters(options);
    const opened = openExport(this.#wire, { ...parameters, format: options.format }, callOf(options));
    return this.#explained(opened, options);
  }

  async importRecords(
    records: readonly ImportRow[],
    options: ImportRecordsOptions = {},
  ): Promise<ImportResult> {
    const data = toImportData(records);
    if (records.length === 0) return { count: 0 };
    const result = await this.importData(data, { ...options, format: 'json' });
    const { count, isQueued } = result;
    // The rows are not looked at, but they have at least one record, and at most one each.
    const isPlausible = (isQueued && options.backgroundProcess) || (count >= 1 && count <= records.length);
    if (isPlausible) return result;
    const doubtful = [{ from: 0, to: records.length }];
    throw new ImportIncompleteError(0, 0, { sent: records.length, counted: count }, { doubtful });
  }

  /** @see docs/protocol/redcap.md 5, `content=record` with `data` (client): all or nothing; 5.6: the answers */
  async importData(data: string | Uint8Array | Blob, options: ImportDataOptions): Promise<ImportResult> {
    const isRepeatable = isRepeatableImport(options);
    const text = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data;
    const parameters = toImportParameters(text, options);
    // Records are not cached, and they change nothing of the structure, which is.
    const result = await this.#wire.json(parameters, rows.ImportAnswer, { ...callOf(options), isRepeatable });
    if (!('ids' in result) || options.returnContent !== 'auto_ids') return result;
    // Pairs of the new name and the name that was sent. A new name is a number and contains no comma.
    return { count: result.count, ids: result.ids.map((pair) => pair.split(',', 1)[0] ?? pair) };
  }

  async findUserByEmail(email: string, options: CallOptions = {}): Promise<ProjectUser> {
    const address = Email(email);
    return userOfEmail(await this.users.export(options), address);
  }

  call<Value = unknown>(
    content: string,
    parameters: WireParameters = {},
    schema?: AnswerSchema<Value>,
    options: CustomCallOptions = {},
  ): Promise<Value> {
    return customCall(this.#wire, this.#calls, { content, parameters, schema, options });
  }

  clearCache(): void {
    this.#reads.clear();
  }

  close(): void {
    this.#reads.clear();
    this.#wire.close();
  }

  /** Adds suggestions to an error about unknown names. */
  async #explained<Value>(exported: Promise<Value>, options: ExportRecordsOptions): Promise<Value> {
    return exported.catch(async (error: unknown) => {
      throw await withSuggestions(error, options, this, callOf(options));
    });
  }

  #askVersion(options: WireOptions): Promise<string> {
    return this.#bareWire.text({ content: 'version' }, /^\d+\.\d+\.\d+$/, options);
  }
}
