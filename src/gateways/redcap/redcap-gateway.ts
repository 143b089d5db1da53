import * as z from 'zod';
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
import type { CrfCalls } from './crf-client.js';
import { isRepeatableImport, toImportParameters } from './import-parameters.js';
import { toExportParameters } from './record-parameters.js';
import { RecordRows } from './record-row.js';
import type { RedcapWire } from './redcap-wire.js';
import type { SharedReads } from './resilience/shared-reads.js';
import * as rows from './rows.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * The calls of REDCap's API, on the wire: one method per content and action, and one call per method.
 *
 * @param wire makes the calls, with or without resilience
 * @param reads shares and caches data that seldom changes
 */
export function redcapGateway(wire: RedcapWire, reads: SharedReads): CrfCalls {
  const calls = new ContentCalls(wire, reads);
  return {
    /** @see docs/protocol/redcap.md 13.3, `content=version` (wire): plain text in every format */
    getVersion: (options = {}) => calls.readText(VERSION, VERSION_PATTERN, options),
    ping: (options = {}) => calls.probe(VERSION, VERSION_PATTERN, options),
    /** @see docs/protocol/redcap.md 9.5, `content=project` (client): one object; newer versions add keys */
    getProjectInfo: (options = {}) => calls.read({ content: 'project' }, rows.ProjectRow, options),
    /** @see docs/protocol/redcap.md 8.1, `content=metadata` (wire): the whole dictionary, or the requested rows */
    getMetadata: ({ fields, forms, ...options } = {}) =>
      calls.list({ content: 'metadata', fields, forms }, rows.FieldRows, options),
    /** @see docs/protocol/redcap.md 4, `content=record` (wire, client) */
    exportRecords: async (options = {}) => calls.ask(toExportParameters(options), RecordRows, options),
    /** @see docs/protocol/redcap.md 4, `content=record` (wire, client); 1.8: an empty CSV export has no header */
    openRecords: async (options) =>
      calls.openRows({ ...toExportParameters(options), format: options.format }, options),
    /** @see docs/protocol/redcap.md 5, `content=record` with `data` (client): all or nothing; 5.6: the answers */
    importData: async (data, options) => {
      const isRepeatable = isRepeatableImport(options);
      const text = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data;
      const parameters = toImportParameters(text, options);
      const result = await calls.store(parameters, rows.ImportAnswer, options, { isRepeatable });
      if (!('ids' in result) || options.returnContent !== 'auto_ids') return result;
      // Pairs of the new name and the name that was sent. A new name is a number and contains no comma.
      return { count: result.count, ids: result.ids.map((pair) => pair.split(',', 1)[0] ?? pair) };
    },
    arms: new Arms(calls),
    events: new Events(calls),
    instruments: new Instruments(calls),
    dictionary: new Dictionary(calls),
    projects: new Projects(calls),
    dags: new Dags(calls),
    users: new Users(calls),
    roles: new Roles(calls),
    records: new Records(calls),
    surveys: new Surveys(calls),
    logs: new Logs(calls),
    files: new Files(calls),
    fileRepository: new FileRepository(calls),
    pdf: new Pdf(calls),
    reports: new Reports(calls),
    call: <Value>(
      content: string,
      parameters: WireParameters = {},
      schema?: AnswerSchema<Value>,
      options: CustomCallOptions = {},
    ) => {
      // Without a schema the caller accepts a value of any type.
      const answer = schema ?? (z.unknown() as unknown as AnswerSchema<Value>);
      const named = { ...parameters, content };
      return options.isRead === true
        ? calls.ask(named, answer, options)
        : calls.write(named, answer, options);
    },
    clearCache: () => reads.clear(),
    close: () => {
      reads.clear();
      wire.close();
    },
  };
}

const VERSION: WireParameters = { content: 'version' };
const VERSION_PATTERN = /^\d+\.\d+\.\d+$/;
