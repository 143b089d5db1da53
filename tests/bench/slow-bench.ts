import { setTimeout as pause } from 'node:timers/promises';
import { bytesOf, download } from './download.js';
import { throughService, type Export } from './export-requests.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, milliseconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';
import { openSlowly, type SlowReader } from './slow-reader.js';

const READ_FOR_MS = 4000;
const SETTLED_AFTER_MS = 1000;
const GIVE_UP_MS = 10_000;
const WARM_UP_RUNS = 20;

const WAYS: readonly Omit<Export, 'records'>[] = [
  { format: 'json' },
  { format: 'ndjson' },
  { format: 'csv', batchSize: 500 },
];

/**
 * Runs a slow reader of a large export that leaves halfway: REDCap must wait for it, and be released when it leaves.
 */
export async function slowBench(): Promise<Row[]> {
  const upstream = await startUpstream();
  const rows: Row[] = [];
  for (const way of WAYS) rows.push(...(await slowRows(upstream, way)));
  await stopAll();
  return rows;
}

async function slowRows(upstream: ProcessUnderTest, way: Omit<Export, 'records'>): Promise<Row[]> {
  const service = await startService(upstream);
  for (let run = 0; run < WARM_UP_RUNS; run += 1) {
    await download(throughService(service.url, { ...way, records: 100 }));
  }
  const before = await statsOf(upstream);
  const reader = await openSlowly(throughService(service.url, { ...way, records: 100_000 }));
  await reader.readFor(SETTLED_AFTER_MS);
  const settledMb = service.rssMb();
  service.resetPeakRss();
  await reader.readFor(READ_FOR_MS - SETTLED_AFTER_MS);
  const grownMb = service.peakRssMb() - settledMb;
  const sentMb = ((await statsOf(upstream)).sentBytes - before.sentBytes) / 2 ** 20;
  const letGoMs = await leave(reader, upstream);
  await service.stop();

  const what = `slow reader, ${way.format.toUpperCase()}${way.batchSize === undefined ? '' : ' in batches'}`;
  const aheadMb = sentMb - reader.bytesRead / 2 ** 20;
  return [
    {
      what: `${what}: RSS from the first second to the ${READ_FOR_MS / 1000}th`,
      figures: `${megabytes(grownMb)} more than ${megabytes(settledMb)}`,
      target: '≤ 10 MB',
    },
    {
      what: `${what}: what the upstream has sent and nobody has read, the buffers of four sockets included`,
      figures: `${megabytes(aheadMb)} of some 100 MB`,
      target: '≤ 30 MB',
    },
    {
      what: `${what}: upstream call released after the client disconnects`,
      figures: Number.isFinite(letGoMs) ? milliseconds(letGoMs) : 'never',
      target: '< 1000 ms',
    },
  ];
}

async function leave(reader: SlowReader, upstream: ProcessUnderTest): Promise<number> {
  const left = performance.now();
  reader.leave();
  while (performance.now() - left < GIVE_UP_MS) {
    if ((await statsOf(upstream)).underWay === 0) return performance.now() - left;
    await pause(5);
  }
  return Number.POSITIVE_INFINITY;
}

interface UpstreamStats {
  readonly sentBytes: number;
  readonly underWay: number;
}

async function statsOf({ url }: ProcessUnderTest): Promise<UpstreamStats> {
  return JSON.parse((await bytesOf({ url })).toString()) as UpstreamStats;
}
