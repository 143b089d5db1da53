import type { Download } from './download.js';

export type Format = 'json' | 'csv' | 'ndjson';

/** Returns the first records of the fake upstream. */
export interface Export {
  readonly records: number;
  readonly format: Format;
  readonly batchSize?: number;
  /** `typed`: numbers as numbers, dates in ISO 8601 and so on, according to the data dictionary. */
  readonly values?: 'raw' | 'typed';
}

const ACCEPT = { json: 'application/json', csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

/** Returns the export through the service. */
export function throughService(serviceUrl: string, { records, format, batchSize, values }: Export): Download {
  const query = new URLSearchParams({ filterLogic: logicOf(records) });
  if (batchSize !== undefined) query.set('batchSize', String(batchSize));
  if (values !== undefined) query.set('values', values);
  return { url: `${serviceUrl}/api/v1/records?${query.toString()}`, headers: { accept: ACCEPT[format] } };
}

/** Returns the same bytes through the bare proxy, with JSON in place of NDJSON, which REDCap does not have. */
export function throughProxy(proxyUrl: string, wanted: Export): Download {
  return { url: `${proxyUrl}/?${formOf(wanted).toString()}` };
}

/** Returns the same bytes directly from the upstream. */
export function fromUpstream(upstreamUrl: string, wanted: Export): Download {
  const form = formOf(wanted);
  form.set('token', 'A'.repeat(32));
  return {
    url: upstreamUrl,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: [Buffer.from(form.toString())],
  };
}

function formOf({ records, format }: Export): URLSearchParams {
  return new URLSearchParams({
    content: 'record',
    action: 'export',
    format: format === 'csv' ? 'csv' : 'json',
    type: 'flat',
    filterLogic: logicOf(records),
  });
}

function logicOf(records: number): string {
  return `[record_id]<${records}`;
}
