import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { download } from './download.js';
import { median, percentile } from './load.js';
import { startProcess, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, milliseconds, seconds, type Row } from './row.js';
import { serviceEnvironment, SERVICE, startUpstream } from './service.js';

const MANY = 50;
const STARTS = 5;
const ROUNDS = 8;
const ROUND_MS = 3_000;
/** Requests a second to each bad neighbour. */
const FLOOD = 100;

/** The tokens by which the upstream knows whom to hang, ban and refuse. */
const NEIGHBOURS = { quiet: 'A000', flooding: 'A001', hung: 'BAD0', banned: 'BAD1', revoked: 'BAD2' };

/** Compares a process of one project with one of fifty, and the project with good neighbours with the same with bad ones. */
export async function projectsBench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'projects-bench-'));
  const upstream = await startUpstream(100, 50);
  try {
    const many = Array.from({ length: MANY }, (_, at) => `A${String(at).padStart(3, '0')}`);
    const start = async (digits: readonly string[]): Promise<ProcessUnderTest> => {
      const names = digits.map((each) => each.toLowerCase());
      return startWith(
        folder,
        upstream,
        Object.fromEntries(names.map((name, at) => [name, digits[at] ?? ''])),
      );
    };
    return [...(await startRows(start, many)), await neighbourRow(folder, upstream)];
  } finally {
    await upstream.stop();
    await rm(folder, { recursive: true });
  }
}

async function startRows(
  start: (digits: readonly string[]) => Promise<ProcessUnderTest>,
  many: readonly string[],
): Promise<Row[]> {
  const found = {
    one: { ms: [] as number[], mb: [] as number[] },
    many: { ms: [] as number[], mb: [] as number[] },
  };
  for (let run = 0; run < STARTS; run += 1) {
    for (const which of ['one', 'many'] as const) {
      const began = performance.now();
      const service = await start(which === 'one' ? many.slice(0, 1) : many);
      await download({ url: `${service.url}/health` });
      found[which].ms.push(performance.now() - began);
      // Until the checks at start have ended.
      await pause(3_000);
      found[which].mb.push(service.rssMb());
      await service.stop();
    }
  }
  const [one, fifty] = [median(found.one.ms), median(found.many.ms)];
  const [oneMb, fiftyMb] = [median(found.one.mb), median(found.many.mb)];
  return [
    {
      what: `start of a process of ${MANY} projects against one of one`,
      figures: `${seconds(fifty)} against ${seconds(one)}`,
      ratio: fifty / one,
      target: '≤ 1.5',
    },
    {
      what: `RSS of an idle process of ${MANY} projects against one of one, each project`,
      figures: `${megabytes(fiftyMb)} against ${megabytes(oneMb)}: ${((fiftyMb - oneMb) / (MANY - 1)).toFixed(2)} MB each`,
      target: '≤ 1.5 MB each',
    },
  ];
}

/** Alternates between rounds with and without load on the bad neighbours, so that the machine affects both alike. */
async function neighbourRow(folder: string, upstream: ProcessUnderTest): Promise<Row> {
  const service = await startWith(folder, upstream, NEIGHBOURS, {
    CAPTURE_MAX_CONCURRENT: '8',
  });
  const urlOf = (name: string): string => `${service.url}/projects/${name}/api/v1/records?limit=1`;
  const latencies = { good: [] as number[], bad: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const good = await latenciesOf(urlOf('quiet'));
    const floods = await Promise.all(
      ['flooding', 'hung', 'banned', 'revoked'].map((name) =>
        startProcess(['tests/bench/workers/flood.mjs', urlOf(name), String(FLOOD)]),
      ),
    );
    await pause(500);
    const bad = await latenciesOf(urlOf('quiet'));
    await Promise.all(floods.map((flood) => flood.stop()));
    // The first round is a warm-up.
    if (round > 0) latencies.good.push(...good);
    if (round > 0) latencies.bad.push(...bad);
  }
  await service.stop();
  const [good, bad] = [percentile(latencies.good, 0.99), percentile(latencies.bad, 0.99)];
  const middle = `median ${milliseconds(percentile(latencies.bad, 0.5))} against ${milliseconds(percentile(latencies.good, 0.5))}`;
  return {
    what: '99th percentile of a project with a hung, a banned, a revoked and a flooding neighbour, against the same without load on them',
    figures: `${milliseconds(bad)} against ${milliseconds(good)}, ${middle}, ${latencies.bad.length} and ${latencies.good.length} requests`,
    ratio: bad / good,
    target: '≤ 1.2',
  };
}

async function latenciesOf(url: string): Promise<number[]> {
  const found: number[] = [];
  const end = performance.now() + ROUND_MS;
  while (performance.now() < end) {
    found.push((await download({ url })).ms);
    await pause(10);
  }
  return found;
}

/** @param projects the first digits of the tokens by name */
async function startWith(
  folder: string,
  upstream: ProcessUnderTest,
  projects: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<ProcessUnderTest> {
  const file = join(folder, 'projects.yaml');
  const lines: string[] = [];
  for (const [name, digits] of Object.entries(projects)) {
    await writeFile(join(folder, name), digits.padEnd(32, '0'));
    lines.push(`  ${name}: { url: "${upstream.url}", tokenFile: ${name} }\n`);
  }
  await writeFile(file, `version: 1\nprojects:\n${lines.join('')}`);
  const { CAPTURE_API_URL: _url, CAPTURE_API_TOKEN: _token, ...common } = serviceEnvironment(upstream.url);
  return startProcess([SERVICE], { ...common, PROJECTS_FILE: file, AUDIT_LOG: 'off', ...settings });
}
