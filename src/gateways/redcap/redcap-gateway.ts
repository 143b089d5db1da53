import * as z from 'zod';
import { ContentCalls } from './contents/content-calls.js';
import { contentsOf } from './contents/contents.js';
import type { AnswerSchema } from './contents/custom-call.js';
import type { Wire } from './create-wire.js';
import type { CrfCalls } from './crf-client.js';
import { isRepeatableImport, toImportParameters, toExportParameters } from './record-parameters.js';
import { RecordRows } from './record-row.js';
import type { SharedReads } from './resilience/shared-reads.js';
import * as rows from './rows.js';
import type { WireParameters } from './wire-parameters.js';

/**
 * Makes the calls of REDCap's API, on the wire: one method per content and action, and one call per method.
 *
 * @param wire makes the calls, with or without resilience
 * @param reads shares and caches data that seldom changes
 */
export function redcapGateway(wire: Wire, reads: SharedReads): CrfCalls {
  const calls = new ContentCalls(wire.send, reads);
  return {
    ...contentsOf(calls),

    /** @see docs/protocol/redcap.md 13.3, `content=version` (wire): plain text in every format */
    getVersion: (options = {}) => calls.readText(VERSION, VERSION_PATTERN, options),

    ping: (options = {}) => calls.probe(VERSION, VERSION_PATTERN, options),

    /** @see docs/protocol/redcap.md 4, `content=record` (wire, client) */
    exportRecords: (options = {}) => calls.ask(toExportParameters(options), RecordRows, options),

    /** @see docs/protocol/redcap.md 4, `content=record` (wire, client); 1.8: an empty CSV export has no header */
    openRecords: (options) =>
      calls.openRows({ ...toExportParameters(options), format: options.format }, options),

    /** @see docs/protocol/redcap.md 5, `content=record` with `data` (client): all or nothing; 5.6: the answers */
    async importData(data, options) {
      const isRepeatable = isRepeatableImport(options);
      const text = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data;
      const parameters = toImportParameters(text, options);
      const result = await calls.store(parameters, rows.ImportAnswer, options, { isRepeatable });
      if (!('ids' in result) || options.returnContent !== 'auto_ids') return result;
      // Pairs of the new name and the name that was sent. A new name is a number and contains no comma.
      return { count: result.count, ids: result.ids.map((pair) => pair.split(',', 1)[0] ?? pair) };
    },

    checkImport: () => Promise.resolve(),

    call<Value>(
      content: string,
      parameters: WireParameters = {},
      // Without a schema the caller accepts a value of any type.
      schema = z.unknown() as unknown as AnswerSchema<Value>,
      { isRead = false, ...options } = {},
    ) {
      const named = { ...parameters, content };
      return isRead ? calls.ask(named, schema, options) : calls.write(named, schema, options);
    },

    forward: (call, options = {}) => calls.forward(call, options),

    clearCache: () => reads.clear(),

    close() {
      reads.clear();
      wire.close();
    },
  };
}

const VERSION: WireParameters = { content: 'version' };
const VERSION_PATTERN = /^\d+\.\d+\.\d+$/;
