import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../errors/caller-errors.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { DataDictionary } from '../dictionary/data-dictionary.js';
import type {
  CallOptions,
  CrfClient,
  ExportRecordsOptions,
  GetRecordOptions,
  ImportRow,
  ImportRecordsOptions,
  ImportResult,
  InstrumentRowsOptions,
  OpenRecordsOptions,
  RecordDocument,
  RecordRow,
  StreamRecordsOptions,
  TypedRow,
} from '../gateways/redcap/crf-client.js';
import type { ContentCalls } from '../gateways/redcap/contents/content-calls.js';
import { checkRows } from '../gateways/redcap/import-parameters.js';
import { RedcapGateway } from '../gateways/redcap/redcap-gateway.js';
import { where, type FieldLogic } from '../logic/builder.js';
import type { LogicProblem } from '../logic/logic-problem.js';
import { ClientLogs } from './client-logs.js';
import { checkFilterLogic } from '../services/filter-logic/check-filter-logic.js';
import { getRecord } from '../services/records/record-reader.js';
import { instrumentRows } from '../services/typed-rows/instrument-rows.js';
import { RowUntyper } from '../services/typed-rows/row-untyper.js';
import { streamRecords } from '../services/record-export/stream-records.js';
import { EXPORT_OPTIONS, IMPORT_OPTIONS, refuseUnknownOptions } from './refuse-unknown-options.js';

/**
 * The client library: the typed operations of REDCap's API, and operations that make several calls, such as batched
 * exports and filters that are checked before they are sent. Every method throws the errors listed at `CrfClient`.
 */
export class RedcapClient extends RedcapGateway implements CrfClient {
  declare readonly logs: ClientLogs;

  protected override makeLogs(calls: ContentCalls): ClientLogs {
    return new ClientLogs(calls);
  }

  /**
   * The result is not cached, because a filter contains values of records. The structure it is checked against is
   * cached.
   */
  checkFilterLogic(filterLogic: string, options: CallOptions = {}): Promise<readonly LogicProblem[]> {
    const { signal, caller } = options;
    return checkFilterLogic(filterLogic, this, { signal, caller });
  }

  override async exportRecords(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    refuseUnknownOptions(options, EXPORT_OPTIONS);
    await this.#check(options);
    if (options.limit === undefined) return super.exportRecords(options);
    const rows: RecordRow[] = [];
    for await (const row of this.streamRecords(options)) rows.push(row);
    return rows;
  }

  override async openRecords(options: OpenRecordsOptions): Promise<Readable> {
    // For an export in several calls, the filter was checked before the first one.
    if (!options.isContinuation) await this.#check(options);
    return super.openRecords(options);
  }

  streamRecords(options: StreamRecordsOptions = {}): AsyncIterable<RecordRow> {
    refuseUnknownOptions(options, EXPORT_OPTIONS);
    return streamRecords(this, options);
  }

  /** Begins filter logic with safe quoting: `client.where('age').gte(18)`. */
  where(field: string): FieldLogic {
    return where(field);
  }

  rows(instrument: string, options: InstrumentRowsOptions = {}): AsyncIterable<TypedRow> {
    return instrumentRows(this, instrument, options);
  }

  getRecord(recordId: string, options: GetRecordOptions = {}): Promise<RecordDocument> {
    return getRecord(this, recordId, options);
  }

  override async importRecords(
    rows: readonly ImportRow[],
    options: ImportRecordsOptions = {},
  ): Promise<ImportResult> {
    refuseUnknownOptions(options, IMPORT_OPTIONS);
    return super.importRecords(rows, options);
  }

  async importRows(rows: readonly TypedRow[], options: ImportRecordsOptions = {}): Promise<ImportResult> {
    refuseUnknownOptions(options, IMPORT_OPTIONS);
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

  async #check({ filterLogic, signal, caller }: ExportRecordsOptions): Promise<void> {
    if (typeof filterLogic === 'string' && filterLogic.trim() !== '') {
      await this.checkFilterLogic(filterLogic, { signal, caller });
    }
  }
}
