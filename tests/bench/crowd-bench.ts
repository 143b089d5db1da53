import { setTimeout as pause } from 'node:timers/promises';
import { download, type Download } from './download.js';
import { throughProxy, throughService, type Export } from './export-requests.js';
import { percentile } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, milliseconds, type Row } from './row.js';
import { runProcess } from './run-process.js';
import { startProxy, startService, startUpstream } from './service.js';

const CROWD = 20;
/**
 * Each round yields about forty latencies; the 99th percentile of fewer than a thousand would be only the worst two.
 */
const ROUNDS = 25;
/**
 * The memory is that of twenty concurrent exports, repeated a few times, not what five hundred exports leave behind
 * until V8 collects its old generation.
 */
const MEMORY_ROUNDS = 6;
const PROBE_EVERY_MS = 2;
const EXPORT: Export = { records: 10_000, format: 'json' };
const SMALL: Export = { records: 100, format: 'json' };
const WARM_UP_RUNS = 20;

/**
 * Allows as many concurrent calls to REDCap as there are exports. By default the service allows eight, and the others
 * wait.
 */
const ENOUGH_CALLS = { CAPTURE_MAX_CONCURRENT: String(CROWD), CAPTURE_QUEUE_TIMEOUT_MS: '30000' };

/**
 * Runs twenty exports at once, through the service and the bare proxy in turn, and measures how other requests are
 * served.
 */
export async function crowdBench(): Promise<Row[]> {
  const upstream = await startUpstream(EXPORT.records);
  const [proxy, service] = await Promise.all([startProxy(upstream), startService(upstream, ENOUGH_CALLS)]);
  service.resetPeakRss();
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await download(throughService(service.url, SMALL));
  const smallPeak = service.peakRssMb();
  service.resetPeakRss();

  let peak = Number.NaN;
  const latencies = { proxy: [] as number[], service: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const ofProxy = await probeDuring(proxy, throughProxy(proxy.url, EXPORT));
    const ofService = await probeDuring(service, throughService(service.url, EXPORT));
    // The first round is a warm-up.
    if (round > 0) latencies.proxy.push(...ofProxy);
    if (round > 0) latencies.service.push(...ofService);
    if (round < MEMORY_ROUNDS) peak = service.peakRssMb();
  }
  await stopAll();
  return [latencyRow(latencies), memoryRow(peak, smallPeak)];
}

/** Returns the duration of each request for `/health` while twenty exports ran, in milliseconds. */
async function probeDuring({ url }: ProcessUnderTest, wanted: Download): Promise<number[]> {
  let isOver = false;
  const crowd = runProcess(process.execPath, [
    'tests/bench/workers/read-all.mjs',
    wanted.url,
    wanted.headers?.accept ?? '*/*',
    String(CROWD),
  ]).finally(() => (isOver = true));
  const latencies: number[] = [];
  while (!isOver) {
    latencies.push((await download({ url: `${url}/health` })).ms);
    await pause(PROBE_EVERY_MS);
  }
  await crowd;
  return latencies;
}

function latencyRow({ proxy, service }: { proxy: readonly number[]; service: readonly number[] }): Row {
  const [ours, theirs] = [percentile(service, 0.99), percentile(proxy, 0.99)];
  const middle = `median ${milliseconds(percentile(service, 0.5))} against ${milliseconds(percentile(proxy, 0.5))}`;
  return {
    what: `99th percentile of \`/health\` during ${CROWD} exports of 10,000 × 50 at once, against the bare proxy's (CAPTURE_MAX_CONCURRENT=${CROWD})`,
    figures: `${milliseconds(ours)} against ${milliseconds(theirs)}, ${middle}, ${service.length} and ${proxy.length} requests`,
    ratio: ours / theirs,
    target: '≤ 1.3',
  };
}

function memoryRow(peak: number, small: number): Row {
  return {
    what: `peak RSS, ${CROWD} exports of 10,000 × 50 at once against 100 × 50 one by one`,
    figures: `${megabytes(peak)} against ${megabytes(small)}: ${megabytes(peak - small)} more`,
    ratio: peak / small,
    target: '≤ 60 MB above',
  };
}
