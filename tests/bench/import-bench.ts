import { download } from './download.js';
import { throughService, type Format } from './export-requests.js';
import { importBody, MEDIA_TYPES } from './import-bodies.js';
import { median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { count, megabytes, milliseconds, seconds, type Row } from './row.js';
import { startProxy, startService, startUpstream } from './service.js';

const FORMATS: readonly Format[] = ['json', 'ndjson', 'csv'];
const SMALL = 100;
const SIZES = [
  { records: 10_000, runs: 3 },
  { records: 100_000, runs: 2 },
];
const WARM_UP_RUNS = 20;

/** Measures imports: duration, memory beyond that of 100 records, and how long the event loop was blocked. */
export async function importBench(): Promise<Row[]> {
  const upstream = await startUpstream();
  const rows: Row[] = [];
  for (const format of FORMATS) rows.push(...(await formatRows(upstream, format)));
  await stopAll();
  return rows;
}

async function formatRows(upstream: ProcessUnderTest, format: Format): Promise<Row[]> {
  const service = await startService(upstream);
  const bodies = new Map<number, Buffer[]>();
  for (const records of [SMALL, ...SIZES.map((size) => size.records)]) {
    bodies.set(records, await importBody(upstream, service, format, records));
  }
  await service.stop();

  // A new process, because the exports of the one above affect its memory.
  const fresh = await startService(upstream);
  const post = (records: number): Promise<number> => postImport(fresh, format, bodies.get(records) ?? []);
  fresh.resetPeakRss();
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await post(SMALL);
  const smallPeak = fresh.peakRssMb();

  const pipe = await startProxy(upstream);
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await postImport(pipe, format, bodies.get(SMALL) ?? []);
  const rows: Row[] = [];
  for (const { records, runs } of SIZES) {
    fresh.resetPeakRss();
    await fresh.ask('reset');
    const times: number[] = [];
    const pipeTimes: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      times.push(await post(records));
      pipeTimes.push(await postImport(pipe, format, bodies.get(records) ?? []));
    }
    const { longestStallMs } = (await fresh.ask('report')) as { readonly longestStallMs: number };
    const peak = fresh.peakRssMb();
    const verifiedTimes: number[] = [];
    for (let run = 0; format === 'csv' && run < runs; run += 1)
      verifiedTimes.push(await postImport(fresh, format, bodies.get(records) ?? [], '?verify=true'));
    const exported = await download(throughService(fresh.url, { records, format }));
    const what = `import of ${count(records)} × 50 as ${format.toUpperCase()}`;
    rows.push(
      pipeRow(what, median(times), median(pipeTimes)),
      ...(format === 'csv' ? [verifiedRow(what, median(verifiedTimes), median(times))] : []),
      ...(format === 'ndjson' ? [parseRow(what, bodies.get(records) ?? [], median(pipeTimes))] : []),
      timeRow(what, median(times), exported.ms),
      memoryRow(what, peak, smallPeak),
      stallRow(what, longestStallMs),
    );
  }
  await Promise.all([fresh.stop(), pipe.stop()]);
  return rows;
}

async function postImport(
  { url }: ProcessUnderTest,
  format: Format,
  body: Buffer[],
  query = '',
): Promise<number> {
  const headers = { 'content-type': MEDIA_TYPES[format] };
  const { ms } = await download({ url: `${url}/api/v1/records${query}`, method: 'POST', headers, body });
  return ms;
}

function pipeRow(what: string, ms: number, pipeMs: number): Row {
  return {
    what: `${what}: time against piping the same bytes on`,
    figures: `${seconds(ms)} against ${seconds(pipeMs)}`,
    ratio: ms / pipeMs,
  };
}

/** What reading back costs this service, beside a REDCap that costs nothing. */
function verifiedRow(what: string, ms: number, plainMs: number): Row {
  return {
    what: `${what}: time of a verified import against an unverified one`,
    figures: `${seconds(ms)} against ${seconds(plainMs)}`,
    ratio: ms / plainMs,
  };
}

/** What parsing alone costs: an import cannot check values without it. */
function parseRow(what: string, body: readonly Buffer[], pipeMs: number): Row {
  const bytes = Buffer.concat(body);
  const started = performance.now();
  let start = 0;
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', start)) {
    JSON.parse(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  const ms = performance.now() - started;
  return {
    what: `${what}: \`JSON.parse\` of its rows, and nothing else, against piping them on`,
    figures: `${seconds(ms)} against ${seconds(pipeMs)}`,
    ratio: ms / pipeMs,
  };
}

function timeRow(what: string, ms: number, exportMs: number): Row {
  return {
    what: `${what}: time against exporting them`,
    figures: `${seconds(ms)} against ${seconds(exportMs)}`,
    ratio: ms / exportMs,
  };
}

function memoryRow(what: string, peak: number, small: number): Row {
  return {
    what: `${what}: peak RSS against imports of 100`,
    figures: `${megabytes(peak)} against ${megabytes(small)}: ${megabytes(peak - small)} more`,
    ratio: peak / small,
    target: '≤ 40 MB above',
  };
}

function stallRow(what: string, longestStallMs: number): Row {
  return {
    what: `${what}: longest stall of the event loop`,
    figures: milliseconds(longestStallMs),
    target: '≤ 50 ms',
  };
}
