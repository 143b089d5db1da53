import { Logs, type LogEntry, type LogSelection } from '../gateways/redcap/contents/logs.js';
import type { LogGroup } from '../gateways/redcap/crf-client.js';
import { streamLog } from '../services/logs/stream-log.js';

/** The log of a project, with iteration over its entries. */
export class ClientLogs extends Logs implements LogGroup {
  stream(selection: LogSelection = {}): AsyncIterable<LogEntry> {
    return streamLog(this, selection);
  }
}
