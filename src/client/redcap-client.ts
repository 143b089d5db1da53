import type {
  CrfClient,
  ExportRecordsOptions,
  RecordRow,
  StreamRecordsOptions,
} from '../gateways/redcap/crf-client.js';
import { RedcapGateway } from '../gateways/redcap/redcap-gateway.js';
import { streamRecords } from '../services/record-export/stream-records.js';

/**
 * The client library: the typed operations of REDCap's API, and the exports that go beyond a single call of it. Every
 * method throws the errors that `CrfClient` lists.
 */
export class RedcapClient extends RedcapGateway implements CrfClient {
  override async exportRecords(options: ExportRecordsOptions = {}): Promise<RecordRow[]> {
    if (options.limit === undefined) return super.exportRecords(options);
    const rows: RecordRow[] = [];
    for await (const row of this.streamRecords(options)) rows.push(row);
    return rows;
  }

  streamRecords(options: StreamRecordsOptions = {}): AsyncIterable<RecordRow> {
    return streamRecords(this, options);
  }
}
