import { download } from './download.js';
import { importBody, MEDIA_TYPES } from './import-bodies.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, seconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';

const RECORDS = 40_000;
const SMALL = 100;
const CALLS = [1, 4];
const WARM_UP_RUNS = 20;

/**
 * Measures the memory of an import while REDCap is slow, so that its calls run at the same time and their rows are
 * kept.
 */
export async function importCallsBench(): Promise<Row[]> {
  const slow = await startUpstream(RECORDS, 50, 'real');
  // The imported rows come from an upstream that answers immediately.
  const quick = await startUpstream(RECORDS);
  const rows: Row[] = [];
  for (const calls of CALLS) rows.push(await rowOf(slow, quick, calls));
  await stopAll();
  return rows;
}

async function rowOf(slow: ProcessUnderTest, quick: ProcessUnderTest, calls: number): Promise<Row> {
  const warm = await startService(quick, { IMPORT_MAX_CONCURRENT: String(calls) });
  const [small, large] = [
    await importBody(quick, warm, 'json', SMALL),
    await importBody(quick, warm, 'json', RECORDS),
  ];
  await warm.stop();

  const service = await startService(slow, { IMPORT_MAX_CONCURRENT: String(calls) });
  const post = (body: readonly Buffer[]): Promise<{ readonly ms: number }> =>
    download({
      url: `${service.url}/api/v1/records`,
      method: 'POST',
      headers: { 'content-type': MEDIA_TYPES.json },
      body,
    });
  service.resetPeakRss();
  // A small import is one call that takes as long as one of a large import, so several run at once.
  await Promise.all(Array.from({ length: WARM_UP_RUNS }, () => post(small)));
  const smallMb = service.peakRssMb();
  service.resetPeakRss();
  const { ms } = await post(large);
  const peakMb = service.peakRssMb();
  await service.stop();
  return {
    what: `import of 40,000 × 50 as JSON into a real REDCap's costs, ${calls === 1 ? 'one call' : `${calls} calls`} in flight: peak RSS against imports of 100`,
    figures: `${megabytes(peakMb)} against ${megabytes(smallMb)}: ${megabytes(peakMb - smallMb)} more, in ${seconds(ms)}`,
    target: '≤ 40 MB above',
  };
}
