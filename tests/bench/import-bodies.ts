import { bytesOf } from './download.js';
import { fromUpstream, throughService, type Format } from './export-requests.js';
import type { ProcessUnderTest } from './process-under-test.js';

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
};

/** Returns the body of an import of the first records of the upstream, in pieces. */
export async function importBody(
  upstream: ProcessUnderTest,
  service: ProcessUnderTest,
  format: Format,
  records: number,
): Promise<Buffer[]> {
  if (format === 'ndjson') return [await bytesOf(throughService(service.url, { records, format }))];
  const bytes = await bytesOf(fromUpstream(upstream.url, { records, format }));
  return format === 'csv' ? [bytes] : [Buffer.from('{"records":'), bytes, Buffer.from('}')];
}
