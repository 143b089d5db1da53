import { checkArguments, options } from '../errors/check-arguments.js';
import { LOG_SELECTION, Logs, type LogEntry, type LogSelection } from '../gateways/redcap/contents/logs.js';
import type { LogGroup } from '../gateways/redcap/crf-client.js';
import { streamLog } from '../services/logs/stream-log.js';

/** The log of a project, with iteration over its entries. */
export class ClientLogs extends Logs implements LogGroup {
  stream(selection: LogSelection = {}): AsyncIterable<LogEntry> {
    return streamLog(this, selection);
  }
}

// The methods of `Logs` check their own.
checkArguments<Pick<ClientLogs, 'stream'>>(ClientLogs, { stream: { throws: [options(LOG_SELECTION)] } });
