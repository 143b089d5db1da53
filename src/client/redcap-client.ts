import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../errors/caller-errors.js';
import { checkArguments, object, options } from '../errors/check-arguments.js';
import { aBoolean, checkedLater } from '../errors/check-options.js';
import type { FieldProblem } from '../errors/field-problem.js';
import { DataDictionary } from '../dictionary/data-dictionary.js';
import type {
  CallOptions,
  CrfClient,
  ExportRecordsOptions,
  GetRecordOptions,
  CheckedImportOptions,
  CheckedImportResult,
  ImportRow,
  InstrumentRowsOptions,
  OpenRecordsOptions,
  RecordDocument,
  RecordRow,
  StreamRecordsOptions,
  TypedRow,
} from '../gateways/redcap/crf-client.js';
import {
  CALL,
  EXPORT,
  CHECKED_IMPORT,
  IMPORT_DATA,
  OPEN,
  RECORD,
  ROWS,
  STREAM,
} from '../gateways/redcap/call-rules.js';
import { anyText } from '../gateways/redcap/contents/checked-values.js';
import type { ContentCalls } from '../gateways/redcap/contents/content-calls.js';
import { checkRows, toImportData } from '../gateways/redcap/import-parameters.js';
import { RedcapGateway } from '../gateways/redcap/redcap-gateway.js';
import { Logic, where, type FieldLogic } from '../logic/builder.js';
import type { LogicProblem } from '../logic/logic-problem.js';
import { ClientLogs } from './client-logs.js';
import { importRows } from '../services/record-import/import-rows.js';
import { checkFilterLogic } from '../services/filter-logic/check-filter-logic.js';
import { getRecord } from '../services/records/record-reader.js';
import { instrumentRows } from '../services/typed-rows/instrument-rows.js';
import { RowUntyper } from '../services/typed-rows/row-untyper.js';
import { streamRecords } from '../services/record-export/stream-records.js';

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
  async checkFilterLogic(
    filterLogic: string | Logic,
    options: CallOptions = {},
  ): Promise<readonly LogicProblem[]> {
    const { signal, caller } = options;
    const text = filterLogic instanceof Logic ? filterLogic.toString() : filterLogic;
    return checkFilterLogic(anyText('filterLogic', text), this, { signal, caller });
  }

  override async exportRecords(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
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
    return streamRecords(this, options);
  }

  /** Begins filter logic with safe quoting: `client.where('age').gte(18)`. */
  where(field: string): FieldLogic {
    return where(field);
  }

  rows(instrument: string, options: InstrumentRowsOptions = {}): AsyncIterable<TypedRow> {
    return instrumentRows(this, anyText('instrument', instrument), options);
  }

  getRecord(recordId: string, options: GetRecordOptions = {}): Promise<RecordDocument> {
    return getRecord(this, recordId, options);
  }

  override async importRecords(
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
    if (check === false) {
      refuseChecks(options);
      return super.importRecords(rows, sent);
    }
    const json = toImportData(rows);
    return rows.length === 0 ? { count: 0 } : importRows(this, json, options);
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

  async #check({ filterLogic, signal, caller }: ExportRecordsOptions): Promise<void> {
    const isText = typeof filterLogic === 'string' && filterLogic.trim() !== '';
    if (isText || filterLogic instanceof Logic) {
      await this.checkFilterLogic(filterLogic, { signal, caller });
    }
  }
}

/** Refuses options that only a check can follow. @throws {InvalidRequestError} names the first */
function refuseChecks(options: CheckedImportOptions): void {
  const name = (['dryRun', 'limits', 'keepMisfits', 'recordIdMinLength'] as const).find(
    (option) => options[option] !== undefined && options[option] !== false,
  );
  if (name !== undefined) throw new InvalidRequestError([{ field: name, message: 'needs check: true' }]);
}

checkArguments(RedcapClient, {
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
