import { Readable } from 'node:stream';
import { createCrfClient } from '../../src/client/create-crf-client.js';
import type { StreamRecordsOptions } from '../../src/gateways/redcap/crf-client.js';
import { RecordWriter } from '../../src/services/record-writer.js';
import { startProcess, type ProcessUnderTest } from './process-under-test.js';
import { seconds, type Row } from './row.js';
import { tsx } from './service.js';
import { fieldNamesOf, idsOf, jsonRows } from './upstream/bench-rows.js';

const RECORDS = 20_000;
const FIELDS = 50;
const BATCH = 500;

/**
 * Measures exports from a typical REDCap, and imports into it: four workers, about 300 ms per call and a millisecond
 * per record. The client library runs with its defaults, including the limit of 500 calls a minute.
 */
export async function realBench(): Promise<Row[]> {
  const upstream = await startProcess([
    ...tsx('tests/bench/fake-upstream.ts'),
    String(RECORDS),
    String(FIELDS),
    'real',
  ]);
  const whole = await exportOnce(upstream, {});
  const oneByOne = await exportOnce(upstream, { batchSize: BATCH, concurrency: 1 });
  const polite = await exportOnce(upstream, { batchSize: BATCH });
  const what = `export of ${RECORDS} x ${FIELDS} from a real REDCap's costs`;
  return [
    { what: `${what}, whole`, figures: figuresOf(whole) },
    { what: `${what}, in batches of ${BATCH}, one call after the other`, figures: figuresOf(oneByOne) },
    {
      what: `${what}, in batches of ${BATCH}, as it is done`,
      figures: figuresOf(polite),
      ratio: oneByOne.totalMs / polite.totalMs,
      target: '>= 3 x as fast as one after the other',
    },
    ...(await importRows(upstream)),
  ];
}

/** Measures imports, with their default of a thousand records per call. */
async function importRows(upstream: ProcessUnderTest): Promise<Row[]> {
  const { bytes } = jsonRows(idsOf(RECORDS), fieldNamesOf(FIELDS));
  const body = [Buffer.from('['), bytes.subarray(0, -1), Buffer.from(']')];
  const oneByOneMs = await importOnce(upstream, body, 1);
  const politeMs = await importOnce(upstream, body);
  const what = `import of ${RECORDS} x ${FIELDS} into a real REDCap's costs`;
  return [
    { what: `${what}, one call after the other`, figures: seconds(oneByOneMs) },
    {
      what: `${what}, as it is done`,
      figures: seconds(politeMs),
      ratio: oneByOneMs / politeMs,
      target: '>= 3 x as fast as one after the other',
    },
  ];
}

async function importOnce(
  upstream: ProcessUnderTest,
  body: readonly Buffer[],
  concurrency?: number,
): Promise<number> {
  const client = createCrfClient({ url: upstream.url, token: 'A'.repeat(32) });
  const writer = new RecordWriter(client, { concurrency });
  const started = performance.now();
  const { count } = await writer.write(
    Readable.from(body, { objectMode: false }),
    { format: 'json' },
    { scope: 'bench' },
  );
  client.close();
  if (count !== RECORDS) throw new Error(`${count} records were stored instead of ${RECORDS}.`);
  return performance.now() - started;
}

interface Run {
  readonly firstRowMs: number;
  readonly totalMs: number;
}

async function exportOnce(upstream: ProcessUnderTest, options: StreamRecordsOptions): Promise<Run> {
  const client = createCrfClient({ url: upstream.url, token: 'A'.repeat(32) });
  const started = performance.now();
  let firstRowMs = 0;
  let rows = 0;
  for await (const row of client.streamRecords(options)) {
    if (rows === 0) firstRowMs = performance.now() - started;
    rows += row['record_id'] === undefined ? 0 : 1;
  }
  client.close();
  if (rows !== RECORDS) throw new Error(`${rows} rows came instead of ${RECORDS}.`);
  return { firstRowMs, totalMs: performance.now() - started };
}

function figuresOf({ firstRowMs, totalMs }: Run): string {
  return `${seconds(totalMs)}, first row after ${seconds(firstRowMs)}`;
}
