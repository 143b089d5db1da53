import { download } from './download.js';
import { throughService } from './export-requests.js';
import { median } from './load.js';
import { stopAll } from './process-under-test.js';
import { megabytes, seconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';

const RECORDS = 100_000;
const ROUNDS = 3;
const WARM_UP_RUNS = 20;

/**
 * Compares checking the quality of 100,000 records with a CSV export of them; every value is checked against its rule.
 */
export async function qualityBench(): Promise<Row[]> {
  const service = await startService(await startUpstream(RECORDS));
  const csv = (records: number): Promise<{ readonly ms: number }> =>
    download(throughService(service.url, { format: 'csv', records }));

  service.resetPeakRss();
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await csv(100);
  const idleMb = service.peakRssMb();
  const times = { quality: [] as number[], csv: [] as number[] };
  service.resetPeakRss();
  const url = `${service.url}/api/v1/project/quality`;
  for (let round = 0; round < ROUNDS; round += 1) times.quality.push((await download({ url })).ms);
  const peakMb = service.peakRssMb();
  for (let round = 0; round < ROUNDS; round += 1) times.csv.push((await csv(RECORDS)).ms);
  await stopAll();

  const [qualityMs, csvMs] = [median(times.quality), median(times.csv)];
  return [
    {
      what: 'quality of 100,000 × 50 against a CSV export of the same',
      figures: `${seconds(qualityMs)} against ${seconds(csvMs)}`,
      ratio: qualityMs / csvMs,
    },
    {
      what: 'peak RSS of the quality of 100,000 × 50 against idle',
      figures: `${megabytes(peakMb)} against ${megabytes(idleMb)}: ${megabytes(peakMb - idleMb)} more`,
      target: '≤ 60 MB above',
    },
  ];
}
