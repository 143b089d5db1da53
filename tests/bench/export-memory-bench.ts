import { download } from './download.js';
import { throughProxy, throughService, type Export, type Format } from './export-requests.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, type Row } from './row.js';
import { startProxy, startService, startUpstream } from './service.js';

const FORMATS: readonly Format[] = ['json', 'csv', 'ndjson'];
const SMALL = 100;
const LARGE = 100_000;
const WARM_UP_RUNS = 20;
const RUNS = 3;
const TARGET = '≤ 40 MB above';
/** Batches are held until they are complete (decision 4). */
const BATCHED_TARGET = '≤ 120 MB above';

/** Measures how much more memory an export of 100,000 records needs than one of 100, in a new process each time. */
export async function exportMemoryBench(): Promise<Row[]> {
  const upstream = await startUpstream();
  const rows: Row[] = [];
  const proxy = await startProxy(upstream);
  const bare = await peaks(proxy, (records) => throughProxy(proxy.url, { records, format: 'json' }));
  await proxy.stop();
  rows.push(rowOf('the bare proxy, JSON', bare));
  for (const batchSize of [undefined, 500]) {
    for (const format of FORMATS) {
      const batches = batchSize === undefined ? '' : ` in batches of ${batchSize}`;
      const found = await peaksOfService(upstream, { format, ...(batchSize !== undefined && { batchSize }) });
      rows.push({
        ...rowOf(`${format.toUpperCase()}${batches}`, found),
        target: batchSize === undefined ? TARGET : BATCHED_TARGET,
      });
    }
  }
  await stopAll();
  return rows;
}

async function peaksOfService(upstream: ProcessUnderTest, wanted: Omit<Export, 'records'>): Promise<Peaks> {
  const service = await startService(upstream);
  const found = await peaks(service, (records) => throughService(service.url, { ...wanted, records }));
  await service.stop();
  return found;
}

interface Peaks {
  readonly small: number;
  readonly large: number;
}

async function peaks(
  process: ProcessUnderTest,
  requestFor: (records: number) => Parameters<typeof download>[0],
): Promise<Peaks> {
  process.resetPeakRss();
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await download(requestFor(SMALL));
  const small = process.peakRssMb();
  process.resetPeakRss();
  for (let run = 0; run < RUNS; run += 1) await download(requestFor(LARGE));
  return { small, large: process.peakRssMb() };
}

function rowOf(what: string, { small, large }: Peaks): Row {
  return {
    what: `peak RSS, export of 100,000 × 50 against 100 × 50, ${what}`,
    figures: `${megabytes(large)} against ${megabytes(small)}: ${megabytes(large - small)} more`,
    ratio: large / small,
  };
}
