import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startProcess, stopAll, type ProcessUnderTest } from './process-under-test.js';
import { count, megabytes, seconds, type Row } from './row.js';
import { COMMAND_LINE, serviceEnvironment, tsx } from './service.js';

const RECORDS = 100_000;
const FEW = 10_000;

/** What one run of `crf` cost. */
interface Cost {
  /** Processor time, which does not depend on how busy the machine is. */
  readonly cpuMs: number;
  readonly peakMb: number;
  /** After each line on stdout: calls of the upstream, bytes from it, processor time. */
  readonly marks: readonly Mark[];
}

interface Mark {
  readonly calls: number;
  readonly sentBytes: number;
  readonly cpuMs: number;
}

/** `crf sync` of 100,000 × 50: the first look against a CSV export, an idle look, and one with 100 changed records. */
export async function syncBench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'crf-bench-'));
  try {
    const upstream = await startSyncUpstream(RECORDS);
    const csv = await run(upstream, ['export', '--format', 'csv', '-o', join(folder, 'all.csv')]);
    const sqlite = await run(upstream, ['sync', '--quiet', '--to', `sqlite:${folder}/all.db`]);
    const parquet = await run(upstream, ['sync', '--quiet', '--to', `parquet:${folder}/parquet`]);
    const looks = await run(
      upstream,
      ['sync', '--json', '--every', '1s', '--to', `sqlite:${folder}/all.db`],
      3,
    );
    const whole = await fetchStats(upstream, '');
    await upstream.stop();
    const small = await startSyncUpstream(FEW);
    const few = await run(small, ['sync', '--quiet', '--to', `sqlite:${folder}/few.db`]);
    await small.stop();
    return [...firstRows({ csv, sqlite, parquet, few }), ...lookRows(looks, whole.csvBytes)];
  } finally {
    await rm(folder, { recursive: true, force: true });
    await stopAll();
  }
}

function firstRows({ csv, sqlite, parquet, few }: Record<'csv' | 'sqlite' | 'parquet' | 'few', Cost>): Row[] {
  const what = 'of 100,000 × 50 against `crf export --format csv`: processor time';
  const against = (cost: Cost): string => `${seconds(cost.cpuMs)} against ${seconds(csv.cpuMs)}`;
  return [
    {
      what: `first \`crf sync --to sqlite:FILE\` ${what}`,
      figures: against(sqlite),
      ratio: sqlite.cpuMs / csv.cpuMs,
      target: '≤ 2.5',
    },
    {
      what: `first \`crf sync --to parquet:FOLDER\` ${what}`,
      figures: against(parquet),
      ratio: parquet.cpuMs / csv.cpuMs,
      target: '≤ 4',
    },
    {
      what: 'peak RSS of the first `crf sync` of 100,000 × 50 against one of 10,000 × 50',
      figures: `${megabytes(sqlite.peakMb)} against ${megabytes(few.peakMb)}`,
      ratio: sqlite.peakMb / few.peakMb,
      target: '≤ 256 MB',
    },
  ];
}

/** The first of the looks reads the structure, the second finds nothing, and before the third 100 records change. */
function lookRows({ marks }: Cost, exportBytes: number): Row[] {
  const [first, idle, changed] = marks;
  if (first === undefined || idle === undefined || changed === undefined)
    throw new Error('A look is missing.');
  const bytes = changed.sentBytes - idle.sentBytes;
  return [
    {
      what: 'an idle look of `crf sync --every` at 100,000 × 50',
      figures: `${idle.calls - first.calls} calls, ${seconds(idle.cpuMs - first.cpuMs)} of processor time`,
      target: '2 calls, ≤ 0.3 s',
    },
    {
      what: 'a look with 100 changed records: bytes against those of an export of everything',
      figures: `${changed.calls - idle.calls} calls, ${count(bytes)} of ${count(exportBytes)} bytes`,
      ratio: bytes / exportBytes,
      target: '≤ 6 calls, ≤ 0.1',
    },
  ];
}

function startSyncUpstream(records: number): Promise<ProcessUnderTest> {
  return startProcess([...tsx('tests/bench/fake-upstream.ts'), String(records), '50', 'sync']);
}

async function fetchStats(
  { url }: ProcessUnderTest,
  path: string,
): Promise<{ readonly calls: number; readonly sentBytes: number; readonly csvBytes: number }> {
  const response = await fetch(url.replace('api/', path));
  return (await response.json()) as { calls: number; sentBytes: number; csvBytes: number };
}

/** @param lines after so many lines on stdout it is interrupted; by then 100 records were changed before the last */
async function run(upstream: ProcessUnderTest, args: readonly string[], lines = Infinity): Promise<Cost> {
  const child = spawn(process.execPath, [COMMAND_LINE, ...args], {
    env: { PATH: process.env.PATH ?? '', ...serviceEnvironment(upstream.url) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const over = once(child, 'exit');
  const marks: Mark[] = [];
  let last = { cpuMs: 0, peakMb: 0 };
  // A process that has ended no longer says what it cost.
  const watch = setInterval(() => (last = usageOf(child.pid) ?? last), 20);
  for await (const _ of createInterface({ input: child.stdout })) {
    const { calls, sentBytes } = await fetchStats(upstream, marks.length === lines - 2 ? 'change' : '');
    marks.push({ calls, sentBytes, cpuMs: usageOf(child.pid)?.cpuMs ?? 0 });
    if (marks.length === lines) child.kill('SIGINT');
  }
  const [code] = (await over) as [number | null];
  clearInterval(watch);
  if (code !== 0 && lines === Infinity) throw new Error(`crf ${args.join(' ')} ended with ${code}.`);
  return { ...last, marks };
}

/** @see proc(5): `utime` and `stime` in hundredths of a second */
function usageOf(pid: number | undefined): { readonly cpuMs: number; readonly peakMb: number } | undefined {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const ticks = fields.split(' ').slice(11, 13).map(Number);
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (peak === undefined) return undefined;
    return { cpuMs: 10 * ((ticks[0] ?? 0) + (ticks[1] ?? 0)), peakMb: Number(peak) / 1024 };
  } catch {
    return undefined;
  }
}
