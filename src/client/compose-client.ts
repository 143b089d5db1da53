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
import { ARM_ARGUMENTS } from '../gateways/redcap/contents/arms.js';
import { CUSTOM_CALL } from '../gateways/redcap/contents/custom-call.js';
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
import { userOfEmail } from '../gateways/redcap/user-of-email.js';
import { Email } from '../domain/identifiers/email.js';
import { where } from '../domain/logic/builder.js';
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
    getVersion: (options) => calls.getVersion(options),
    ping: (options) => calls.ping(options),
    getProjectInfo: (options) => calls.getProjectInfo(options),
    getMetadata: (options) => calls.getMetadata(options),
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
    getRecord: (recordId, options = {}) => getRecord(client, recordId, options),
    importRecords: (rows, options = {}) => importRows(client, rows, options),
    importRows: async (rows, options = {}) =>
      importRows(client, await untypeRows(client, rows, options), options),
    importData: (data, options) => calls.importData(data, options),
    checkImport: (data, options) => calls.checkImport(data, options),
    findUserByEmail: async (email, options) =>
      userOfEmail(await calls.users.export(options), email, ({ username }) => username),
    where,
    arms: calls.arms,
    events: calls.events,
    instruments: calls.instruments,
    dictionary: calls.dictionary,
    projects: calls.projects,
    dags: calls.dags,
    users: calls.users,
    roles: calls.roles,
    records: calls.records,
    surveys: calls.surveys,
    logs: {
      export: (selection) => calls.logs.export(selection),
      open: (selection) => calls.logs.open(selection),
      stream: (selection = {}) => streamLog(calls.logs, selection),
    },
    files: calls.files,
    fileRepository: calls.fileRepository,
    pdf: calls.pdf,
    reports: calls.reports,
    call: (content, parameters, schema, options) => calls.call(content, parameters, schema, options),
    clearCache: () => calls.clearCache(),
    close: () => calls.close(),
  };
  return client;
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
  checkImport: [importDataToCheck, importDataOptions],
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
