import * as z from 'zod';
import {
  argument,
  checked,
  identifier,
  options,
  type ArgumentsOf,
} from '../domain/identifiers/check-options.js';
import { CALL } from '../gateways/redcap/call-options.js';
import { anyText, logicText, recordId } from '../gateways/redcap/contents/argument-values.js';
import { CONTENT_ARGUMENTS } from '../gateways/redcap/contents/contents.js';
import { CUSTOM_CALL, FORWARD } from '../gateways/redcap/contents/custom-call.js';
import { logSelection } from '../gateways/redcap/contents/log.js';
import type {
  CrfCalls,
  CrfClient,
  ExportRecordsOptions,
  ImportRow,
  RecordRow,
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
  importDataToCheck,
  rowsToImport,
} from '../gateways/redcap/record-import-options.js';
import { withSuggestions } from '../gateways/redcap/suggest-names.js';
import { userOfEmail } from '../gateways/redcap/contents/users.js';
import { Email } from '../domain/identifiers/email.js';
import { where } from '../domain/logic/builder.js';
import { checkedFilter } from '../records/filter/checked-filter.js';
import { checkFilterLogic } from '../records/filter/check-filter-logic.js';
import { streamLog } from '../services/log/stream-log.js';
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
  const client = checked(withOperations(calls), ARGUMENTS);
  CALLS.set(client, calls);
  return client;
}

/** Returns the calls that a client is composed of, for a decorator to wrap; a client of another kind is its own calls. */
export function callsOf(client: CrfClient): CrfCalls {
  return CALLS.get(client) ?? client;
}

const CALLS = new WeakMap<CrfClient, CrfCalls>();

/** Returns the calls with the operations beside them; what they are given is checked already. */
function withOperations(calls: CrfCalls): CrfClient {
  /** Adds suggestions to an error about unknown names. */
  const suggesting = async <Value>(
    exported: Promise<Value>,
    { signal, caller, traceparent, ...selection }: ExportRecordsOptions,
  ): Promise<Value> =>
    exported.catch(async (error: unknown) => {
      throw await withSuggestions(error, selection, calls, { signal, caller, traceparent });
    });
  const client: CrfClient = {
    ...calls,
    // The result is not cached, because a filter contains values of records. The structure it is checked against is.
    checkFilterLogic: async (filterLogic, { signal, caller } = {}) =>
      checkFilterLogic(filterLogic.toString(), calls, { signal, caller }),
    exportRecords: async (options = {}) => {
      const filterLogic = await checkedFilter(client, options.filterLogic, options);
      const selection = { ...options, filterLogic };
      if (options.limit === undefined) return suggesting(calls.exportRecords(selection), selection);
      const rows: RecordRow[] = [];
      for await (const row of client.streamRecords(selection)) rows.push(row);
      return rows;
    },
    openRecords: async (options) => {
      // For an export in several calls, the filter was checked before the first one.
      if (!options.isContinuation) await checkedFilter(client, options.filterLogic, options);
      return suggesting(calls.openRecords(options), options);
    },
    streamRecords: (options) => streamRecords(client, options),
    rows: (instrument, options) => instrumentRows(client, instrument, options),
    getRecord: (record, options = {}) => getRecord(client, record, options),
    importRecords: (rows, options = {}) => importRows(client, rows, options),
    importRows: async (rows, options = {}) =>
      importRows(client, await untypeRows(client, rows, options), options),
    findProjectUser: async (email, options) =>
      userOfEmail(await calls.users.list(options), email, ({ username }) => username),
    where,
    log: {
      list: (selection) => calls.log.list(selection),
      open: (selection) => calls.log.open(selection),
      stream: (selection = {}) => streamLog(calls.log, selection),
    },
  };
  return client;
}

const name = argument('field', z.custom<string>());
const filterLogic = argument('filterLogic', logicText);

const ARGUMENTS: ArgumentsOf<CrfClient> = {
  getVersion: [options(CALL)],
  ping: [options(CALL)],
  exportRecords: [exportOptions],
  openRecords: [openOptions],
  streamRecords: { throws: [streamOptions] },
  getRecord: [argument('record', recordId), recordOptions],
  importRecords: [rowsToImport<ImportRow>(), checkedImportOptions],
  rows: { throws: [argument('instrument', anyText), rowsOptions] },
  importRows: [rowsToImport<TypedRow>(), checkedImportOptions],
  importData: [importData, importDataOptions],
  checkImport: [importDataToCheck, importDataOptions],
  checkFilterLogic: [filterLogic, options(CALL)],
  findProjectUser: [argument('email', identifier(Email)), options(CALL)],
  // Which names there are, is for the builder of the logic to say.
  where: { throws: [name] },
  ...CONTENT_ARGUMENTS,
  log: { ...CONTENT_ARGUMENTS.log, stream: { throws: [logSelection] } },
  call: CUSTOM_CALL,
  forward: FORWARD,
  clearCache: { throws: [] },
  close: { throws: [] },
};
