import { download } from './download.js';
import { throughService } from './export-requests.js';
import { median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, seconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';

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
  await stopAll();
  const middle = (of: (round: Round) => number): number => median(rounds.map(of));
  const [summaryMs, exportMs] = [middle(({ summaryMs: ms }) => ms), middle(({ exportMs: ms }) => ms)];
  const [idleMb, peakMb] = [middle((round) => round.idleMb), middle((round) => round.peakMb)];
  return [
    {
      what: 'summary of 100,000 × 50 against a CSV export of the same',
      figures: `${seconds(summaryMs)} against ${seconds(exportMs)}`,
      ratio: summaryMs / exportMs,
      target: '≤ 2',
    },
    {
      what: 'peak RSS of the summary of 100,000 × 50 against idle',
      figures: `${megabytes(peakMb)} against ${megabytes(idleMb)}: ${megabytes(peakMb - idleMb)} more`,
      target: '≤ 60 MB above',
    },
  ];
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
