import { download } from './download.js';
import { throughService } from './export-requests.js';
import { median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, milliseconds, seconds, type Row } from './row.js';
import { cpuMs, startService, startUpstream } from './service.js';

const RECORDS = 100_000;
const ROUNDS = 3;
const WARM_UP_RUNS = 20;

interface Round {
  readonly summaryMs: number;
  readonly exportMs: number;
  readonly idleMb: number;
  readonly peakMb: number;
}

/**
 * Compares the summary of 100,000 × 50 with a CSV export of it, in a new process each time because a summary is cached.
 */
export async function summaryBench(): Promise<Row[]> {
  const upstream = await startUpstream(RECORDS);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await roundOf(upstream));
  const page = await dashboardCpuMs(upstream);
  const lists = await listOf();
  await stopAll();
  const middle = (of: (round: Round) => number): number => median(rounds.map(of));
  const [summaryMs, exportMs] = [middle(({ summaryMs: ms }) => ms), middle(({ exportMs: ms }) => ms)];
  const [idleMb, peakMb] = [middle((round) => round.idleMb), middle((round) => round.peakMb)];
  return [
    {
      what: 'summary of 100,000 × 50 against a CSV export of the same',
      figures: `${seconds(summaryMs)} against ${seconds(exportMs)}`,
      ratio: summaryMs / exportMs,
      target: '≤ 8',
    },
    {
      what: 'peak RSS of the summary of 100,000 × 50 against idle',
      figures: `${megabytes(peakMb)} against ${megabytes(idleMb)}: ${megabytes(peakMb - idleMb)} more`,
      target: '≤ 60 MB above',
    },
    {
      what: 'processor time of `/dashboard` of 100,000 × 50, from the figures that are kept',
      figures: milliseconds(page),
      target: '≤ 50 ms',
    },
    {
      what: 'file of the list of forms of 100,000 records against a CSV export of the same columns',
      figures: `${seconds(lists.listMs)} against ${seconds(lists.exportMs)}`,
      ratio: lists.listMs / lists.exportMs,
      target: '≤ 2',
    },
    {
      what: 'peak RSS of the list of forms of 100,000 records against idle',
      figures: `${megabytes(lists.peakMb)} against ${megabytes(lists.idleMb)}: ${megabytes(lists.peakMb - lists.idleMb)} more`,
    },
  ];
}

/** Returns the processor time of a dashboard whose figures are there, for a reader who may see records. */
async function dashboardCpuMs(upstream: ProcessUnderTest): Promise<number> {
  const service = await startService(upstream);
  await download({ url: `${service.url}/api/v1/project/summary` });
  await download({ url: `${service.url}/dashboard/plots/quality.csv` });
  const page = { url: `${service.url}/dashboard` };
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await download(page);
  const before = await cpuMs(service);
  for (let run = 0; run < WARM_UP_RUNS; run += 1) await download(page);
  const spent = (await cpuMs(service)) - before;
  await service.stop();
  return spent / WARM_UP_RUNS;
}

/** Compares a list with an export of as many columns: REDCap sends a list no others. */
async function listOf(): Promise<Record<'listMs' | 'exportMs' | 'idleMb' | 'peakMb', number>> {
  const upstream = await startUpstream(RECORDS, 3);
  const service = await startService(upstream);
  const wanted = { format: 'csv', records: RECORDS } as const;
  const list = { url: `${service.url}/dashboard/forms.csv?status=notBegun` };
  for (let run = 0; run < WARM_UP_RUNS; run += 1)
    await download(throughService(service.url, { ...wanted, records: 100 }));
  const idleMb = service.peakRssMb();
  service.resetPeakRss();
  const lists: number[] = [];
  const exports: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    lists.push((await download(list)).ms);
    exports.push((await download(throughService(service.url, wanted))).ms);
  }
  const peakMb = service.peakRssMb();
  await service.stop();
  return { listMs: median(lists), exportMs: median(exports), idleMb, peakMb };
}

async function roundOf(upstream: ProcessUnderTest): Promise<Round> {
  const service = await startService(upstream);
  const wanted = { format: 'csv', records: RECORDS } as const;
  service.resetPeakRss();
  for (let run = 0; run < WARM_UP_RUNS; run += 1)
    await download(throughService(service.url, { ...wanted, records: 100 }));
  const idleMb = service.peakRssMb();
  service.resetPeakRss();
  const summary = await download({ url: `${service.url}/api/v1/project/summary` });
  const peakMb = service.peakRssMb();
  const whole = await download(throughService(service.url, wanted));
  await service.stop();
  return { summaryMs: summary.ms, exportMs: whole.ms, idleMb, peakMb };
}
