import { download, type Downloaded } from './download.js';
import { fromUpstream, throughProxy, throughService, type Export, type Format } from './export-requests.js';
import { median } from './load.js';
import { stopAll } from './process-under-test.js';
import { count, milliseconds, seconds, type Row } from './row.js';
import { startProxy, startService, startUpstream } from './service.js';

/** Short exports need more rounds for a stable median. */
const ROUNDS: Readonly<Record<number, number>> = { 10_000: 11, 100_000: 5 };
const SIZES = [10_000, 100_000];
const FORMATS: readonly Format[] = ['json', 'csv', 'ndjson'];
const BATCH_SIZE = 500;

interface Urls {
  readonly upstream: string;
  readonly proxy: string;
  readonly service: string;
}

/** Compares exports through the service with the same bytes through a bare proxy, and directly from the upstream. */
export async function exportBench(): Promise<Row[]> {
  const upstream = await startUpstream();
  const [proxy, service] = await Promise.all([startProxy(upstream), startService(upstream)]);
  const urls = { upstream: upstream.url, proxy: proxy.url, service: service.url };
  const rows: Row[] = [];
  for (const records of SIZES) rows.push(...(await rowsOf(urls, records)));
  rows.push(...(await batchedRows(urls)));
  await stopAll();
  return rows;
}

async function rowsOf(urls: Urls, records: number): Promise<Row[]> {
  const rows: Row[] = [];
  let jsonMs = Number.NaN;
  for (const format of FORMATS) {
    const times = await compare(urls, { records, format });
    if (format === 'json') jsonMs = times.service.ms;
    rows.push(throughputRow({ records, format }, times), firstByteRow({ records, format }, times));
    if (format === 'ndjson') rows.push(ndjsonRow(records, times.service.ms, jsonMs));
  }
  return rows;
}

/** Measures the cost of batches, each of which must be held until it is known to be complete. */
async function batchedRows(urls: Urls): Promise<Row[]> {
  const rows: Row[] = [];
  for (const format of FORMATS) {
    const wanted = { records: 100_000, format, batchSize: BATCH_SIZE };
    const { proxy, service, upstream } = await compare(urls, wanted);
    rows.push({
      what: `${nameOf(wanted)}: throughput against the bare proxy's, unbatched`,
      figures: `${seconds(service.ms)} against ${seconds(proxy.ms)}; directly ${seconds(upstream.ms)}`,
      ratio: proxy.ms / service.ms,
    });
  }
  return rows;
}

type Times = Readonly<Record<keyof Urls, Pick<Downloaded, 'ms' | 'firstByteMs'>>>;

/** Returns the medians of several alternating rounds, so that drift affects all alike. The first round is a warm-up. */
async function compare(urls: Urls, wanted: Export): Promise<Times> {
  const rounds = ROUNDS[wanted.records] ?? 1;
  const measured: Record<keyof Urls, Downloaded>[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const upstream = await download(fromUpstream(urls.upstream, wanted));
    const proxy = await download(throughProxy(urls.proxy, wanted));
    const service = await download(throughService(urls.service, wanted));
    if (round > 0) measured.push({ upstream, proxy, service });
  }
  const middle = (name: keyof Urls): Times['service'] => ({
    ms: median(measured.map((round) => round[name].ms)),
    firstByteMs: median(measured.map((round) => round[name].firstByteMs)),
  });
  return { upstream: middle('upstream'), proxy: middle('proxy'), service: middle('service') };
}

function throughputRow(wanted: Export, { upstream, proxy, service }: Times): Row {
  return {
    what: `${nameOf(wanted)}: throughput against the bare proxy's`,
    figures: `${seconds(service.ms)} against ${seconds(proxy.ms)}; directly ${seconds(upstream.ms)}`,
    ratio: proxy.ms / service.ms,
    target: wanted.format === 'ndjson' || wanted.records < 100_000 ? undefined : '≥ 0.8',
  };
}

function firstByteRow(wanted: Export, { upstream, proxy, service }: Times): Row {
  const direct = milliseconds(upstream.firstByteMs);
  return {
    what: `${nameOf(wanted)}: first byte against the bare proxy's`,
    figures: `${milliseconds(service.firstByteMs)} against ${milliseconds(proxy.firstByteMs)}; directly ${direct}`,
    target: '10 ms later at most',
  };
}

function ndjsonRow(records: number, ndjsonMs: number, jsonMs: number): Row {
  return {
    what: `${nameOf({ records, format: 'ndjson' })}: throughput against the service's JSON`,
    figures: `${seconds(ndjsonMs)} against ${seconds(jsonMs)}`,
    ratio: jsonMs / ndjsonMs,
    target: '≥ 0.5',
  };
}

function nameOf({ records, format, batchSize }: Export): string {
  const batches = batchSize === undefined ? '' : ` in batches of ${batchSize}`;
  return `export of ${count(records)} × 50 as ${format.toUpperCase()}${batches}`;
}
