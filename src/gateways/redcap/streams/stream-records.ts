import type { CrfClient, RecordRow, StreamRecordsOptions } from '../crf-client.js';

/** Rows one by one, out of one call. */
export async function* streamRecords(
  client: Pick<CrfClient, 'exportRecords'>,
  options: StreamRecordsOptions,
): AsyncGenerator<RecordRow> {
  yield* await client.exportRecords(options);
}
