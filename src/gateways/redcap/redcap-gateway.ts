import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Field } from '../../domain/dictionary/field.js';
import { Arms } from './contents/arms.js';
import { ContentCalls } from './contents/content-calls.js';
import type { AnswerSchema, CustomCallOptions } from './contents/custom-call.js';
import { Dags } from './contents/dags.js';
import { Dictionary } from './contents/dictionary.js';
import { Events } from './contents/events.js';
import { FileRepository } from './contents/file-repository.js';
import { Files } from './contents/files.js';
import { Instruments } from './contents/instruments.js';
import { Logs } from './contents/logs.js';
import { Pdf } from './contents/pdf.js';
import { Projects } from './contents/projects.js';
import { Records } from './contents/records.js';
import { Reports } from './contents/reports.js';
import { Roles } from './contents/roles.js';
import { Surveys } from './contents/surveys.js';
import { Users } from './contents/users.js';
import type {
  CallOptions,
  CrfCalls,
  ExportRecordsOptions,
  ImportDataOptions,
  ImportResult,
  MetadataOptions,
  OpenRecordsOptions,
  ProjectInfo,
  RecordRow,
} from './crf-client.js';
import { isRepeatableImport, toImportParameters } from './import-parameters.js';
import { toExportParameters } from './record-parameters.js';
import { RecordRows } from './record-row.js';
import type { RedcapWire } from './redcap-wire.js';
import type { SharedReads } from './resilience/shared-reads.js';
import * as rows from './rows.js';
import type { WireParameters } from './wire-parameters.js';

/** The calls of REDCap's API, on the wire: one method per content and action, and one call per method. */
export class RedcapGateway implements CrfCalls {
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
    this.#wire = wire;
    this.#reads = reads;
    const calls = new ContentCalls(wire, reads);
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
    this.logs = new Logs(calls);
    this.files = new Files(calls);
    this.fileRepository = new FileRepository(calls);
    this.pdf = new Pdf(calls);
    this.reports = new Reports(calls);
  }

  /** @see docs/protocol/redcap.md 13.3, `content=version` (wire): plain text in every format */
  getVersion(options: CallOptions = {}): Promise<string> {
    return this.#calls.readText(VERSION, VERSION_PATTERN, options);
  }

  ping(options: CallOptions = {}): Promise<void> {
    return this.#calls.probe(VERSION, VERSION_PATTERN, options);
  }

  /** @see docs/protocol/redcap.md 9.5, `content=project` (client): one object; newer versions add keys */
  getProjectInfo(options: CallOptions = {}): Promise<ProjectInfo> {
    return this.#calls.read({ content: 'project' }, rows.ProjectRow, options);
  }

  /** @see docs/protocol/redcap.md 8.1, `content=metadata` (wire): the whole dictionary, or the requested rows */
  getMetadata({ fields, forms, ...options }: MetadataOptions = {}): Promise<Field[]> {
    return this.#calls.list({ content: 'metadata', fields, forms }, rows.FieldRows, options);
  }

  /** @see docs/protocol/redcap.md 4, `content=record` (wire, client) */
  async exportRecords(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    return this.#calls.ask(toExportParameters(options), RecordRows, options);
  }

  /** @see docs/protocol/redcap.md 4, `content=record` (wire, client); 1.8: an empty CSV export has no header */
  async openRecords(options: OpenRecordsOptions): Promise<Readable> {
    return this.#calls.openRows({ ...toExportParameters(options), format: options.format }, options);
  }

  /** @see docs/protocol/redcap.md 5, `content=record` with `data` (client): all or nothing; 5.6: the answers */
  async importData(data: string | Uint8Array | Blob, options: ImportDataOptions): Promise<ImportResult> {
    const isRepeatable = isRepeatableImport(options);
    const text = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data;
    const parameters = toImportParameters(text, options);
    const result = await this.#calls.store(parameters, rows.ImportAnswer, options, { isRepeatable });
    if (!('ids' in result) || options.returnContent !== 'auto_ids') return result;
    // Pairs of the new name and the name that was sent. A new name is a number and contains no comma.
    return { count: result.count, ids: result.ids.map((pair) => pair.split(',', 1)[0] ?? pair) };
  }

  checkImport(): Promise<void> {
    return Promise.resolve();
  }

  call<Value = unknown>(
    content: string,
    parameters: WireParameters = {},
    schema?: AnswerSchema<Value>,
    options: CustomCallOptions = {},
  ): Promise<Value> {
    // Without a schema the caller accepts a value of any type.
    const answer = schema ?? (z.unknown() as unknown as AnswerSchema<Value>);
    const named = { ...parameters, content };
    return options.isRead === true
      ? this.#calls.ask(named, answer, options)
      : this.#calls.write(named, answer, options);
  }

  clearCache(): void {
    this.#reads.clear();
  }

  close(): void {
    this.#reads.clear();
    this.#wire.close();
  }
}

const VERSION: WireParameters = { content: 'version' };
const VERSION_PATTERN = /^\d+\.\d+\.\d+$/;
