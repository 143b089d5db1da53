import { load, median, type Load } from './load.js';
import { startProcess, type ProcessUnderTest } from './process-under-test.js';
import type { Row } from './row.js';
import { serviceEnvironment, SERVICE, tsx } from './service.js';

const SECONDS = 4;
const ROUNDS = 3;

/** Compares `/health` with a bare Express application, alternately, so that drift affects both alike. */
export async function healthBench(): Promise<Row[]> {
  const [service, express] = await Promise.all([
    startProcess([SERVICE], { LOG_LEVEL: 'info', PORT: '0' }),
    startProcess(['tests/bench/servers/bare-express.mjs']),
  ]);
  const rates = { service: [] as number[], express: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.service.push(await healthRate(service));
    rates.express.push(await healthRate(express));
  }
  await Promise.all([service, express].map((process) => process.stop()));

  const [ours, theirs] = [median(rates.service), median(rates.express)];
  return [
    {
      what: '`/health` against bare `express()` + `app.listen`',
      figures: `${rate(ours)} against ${rate(theirs)}`,
      ratio: ours / theirs,
    },
  ];
}

async function healthRate({ url }: ProcessUnderTest): Promise<number> {
  const { requestsPerSecond } = await load(`${url}/health`, { connections: 16, seconds: SECONDS });
  return requestsPerSecond;
}

/** Compares `/project/version` with calling the upstream directly, with and without the cache of the service. */
export async function versionBench(): Promise<Row[]> {
  const upstream = await startProcess([...tsx('tests/bench/fake-upstream.ts'), '1000']);
  const rows: Row[] = [];
  for (const cacheSeconds of ['0', '30']) {
    const service = await startProcess([SERVICE], {
      ...serviceEnvironment(upstream.url),
      CAPTURE_CACHE_SECONDS: cacheSeconds,
    });
    for (const connections of [1, 16, 64]) {
      const direct = await load(upstream.url, { ...DIRECT, connections, seconds: SECONDS });
      const through = await load(`${service.url}/api/v1/project/version`, { connections, seconds: SECONDS });
      rows.push(...versionRows(direct, through, connections, cacheSeconds === '0' ? 'no cache' : 'cache'));
    }
    await service.stop();
  }
  await upstream.stop();
  return rows;
}

const DIRECT = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `token=${'A'.repeat(32)}&content=version&format=json&returnFormat=json`,
} as const;

function versionRows(direct: Load, through: Load, connections: number, mode: string): Row[] {
  const what = `\`/project/version\`, ${mode}, ${connections} connection${connections === 1 ? '' : 's'}`;
  const failures = through.failures === 0 ? '' : `, ${through.failures} failures`;
  const isClaimed = connections === 16;
  return [
    {
      what: `${what}: rate against the upstream's own`,
      figures: `${rate(through.requestsPerSecond)} against ${rate(direct.requestsPerSecond)}${failures}`,
      ratio: through.requestsPerSecond / direct.requestsPerSecond,
      target: isClaimed ? '≥ 0.3' : undefined,
    },
    {
      what: `${what}: 99th percentile against the upstream's own`,
      figures: `${through.p99Ms} ms against ${direct.p99Ms} ms`,
      ratio: through.p99Ms / Math.max(1, direct.p99Ms),
      target: isClaimed ? '≤ 3' : undefined,
    },
  ];
}

function rate(requestsPerSecond: number): string {
  return `${Math.round(requestsPerSecond).toLocaleString('en')}/s`;
}
