import type { Readable } from 'node:stream';
import type { LogEntry, LogSelection } from '../../gateways/redcap/contents/logs.js';
import { toLogEntry } from '../../gateways/redcap/contents/logs.js';
import { chunksOf } from '../record-export/chunks-of.js';
import { parseRow } from '../record-export/id-of-row.js';
import { JsonArraySplitter } from '../record-export/json-array-splitter.js';

/** What a log is read from. */
export interface LogSource {
  open(selection?: LogSelection): Promise<Readable>;
}

/**
 * The entries of the log one by one, the newest first, in constant memory. Nothing is asked for before the first is
 * taken; leaving the loop cancels what is under way.
 *
 * @throws {CrfError} what `client.logs.open` throws
 */
export async function* streamLog(
  source: LogSource,
  selection: LogSelection = {},
): AsyncGenerator<LogEntry, void, undefined> {
  for await (const entries of logChunks(await source.open(selection))) yield* entries;
}

/** The entries of a log's bytes, as many at once as came at once. */
export async function* logChunks(body: Readable): AsyncGenerator<LogEntry[], void, undefined> {
  const splitter = new JsonArraySplitter();
  for await (const chunk of chunksOf(body)) {
    const rows: Buffer[] = [];
    splitter.push(chunk, (bytes, start, end) => rows.push(bytes.subarray(start, end)));
    if (rows.length > 0) yield rows.map((row) => toLogEntry(parseRow(row)));
  }
  splitter.end();
}
