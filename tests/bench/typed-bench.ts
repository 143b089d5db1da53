import { download } from './download.js';
import { throughService, type Export } from './export-requests.js';
import { median } from './load.js';
import { stopAll } from './process-under-test.js';
import { megabytes, seconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';

const RECORDS = 100_000;
const ROUNDS = 3;
const WARM_UP_RUNS = 20;
const RAW: Export = { records: RECORDS, format: 'ndjson' };
const TYPED: Export = { ...RAW, values: 'typed' };

/** Compares typed with raw NDJSON of 100,000 × 50, alternately in one process. */
export async function typedBench(): Promise<Row[]> {
  const service = await startService(await startUpstream(RECORDS));
  const timeOf = async (wanted: Export): Promise<number> =>
    (await download(throughService(service.url, wanted))).ms;

  service.resetPeakRss();
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await timeOf({ ...TYPED, records: 100 });
  const smallMb = service.peakRssMb();
  const times = { typed: [] as number[], raw: [] as number[] };
  service.resetPeakRss();
  for (let round = 0; round < ROUNDS; round += 1) times.typed.push(await timeOf(TYPED));
  const peakMb = service.peakRssMb();
  for (let round = 0; round < ROUNDS; round += 1) {
    times.raw.push(await timeOf(RAW));
    times.typed.push(await timeOf(TYPED));
  }
  await stopAll();

  const [typedMs, rawMs] = [median(times.typed), median(times.raw)];
  return [
    {
      what: 'rate of typed NDJSON of 100,000 × 50 against raw NDJSON',
      figures: `${seconds(typedMs)} against ${seconds(rawMs)}`,
      ratio: rawMs / typedMs,
    },
    {
      what: 'peak RSS of typed NDJSON of 100,000 × 50 against 100 × 50',
      figures: `${megabytes(peakMb)} against ${megabytes(smallMb)}: ${megabytes(peakMb - smallMb)} more`,
      target: '≤ 40 MB above',
    },
  ];
}
