import type { Readable } from 'node:stream';
import { refuseAborted } from '../../gateways/redcap/cancellation.js';
import type { LogEntry, LogSelection } from '../../gateways/redcap/contents/log.js';
import { toLogEntry } from '../../gateways/redcap/contents/log.js';
import { jsonRowsOf } from '../../records/streaming/chunks-of.js';
import { parseObject } from '../../records/formats/parse-row.js';

/** Provides a log. */
export interface LogSource {
  open(selection?: LogSelection): Promise<Readable>;
}

/**
 * Yields the log entries one by one, newest first, in constant memory. The first call is made when the first entry is
 * requested. Leaving the loop cancels it, and after an abort the next entry is an error.
 *
 * @throws {CrfError} errors of `client.log.open`
 */
export async function* streamLog(
  source: LogSource,
  selection: LogSelection,
): AsyncGenerator<LogEntry, void, undefined> {
  for await (const rows of jsonRowsOf(await source.open(selection)))
    for (const row of rows) {
      yield toLogEntry(parseObject(row));
      refuseAborted(selection.signal);
    }
}
