import { createApiKey, hashApiKey } from '../../src/services/access/api-key.js';
import { load, median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import type { Row } from './row.js';
import { startProxy, startService, startUpstream } from './service.js';

const SECONDS = 3;
const ROUNDS = 5;
const CONNECTIONS = 16;

/**
 * Measures the processor time of small answers: cached ones of the service against those of the bare pipe, which asks
 * the upstream each time. It counts processor time, because on a busy machine the rate depends on other processes.
 */
export async function smallBench(): Promise<Row[]> {
  const upstream = await startUpstream(10);
  const key = createApiKey();
  const service = await startService(upstream, {
    API_KEYS: `bench:${hashApiKey(key)}:project:read`,
    AUDIT_LOG: 'off',
  });
  const pipe = await startProxy(upstream);
  const headers = { authorization: `Bearer ${key}` };
  const costs = await costsOf({
    info: () => microsecondsOfRequest(service, '/api/v1/project/info', headers),
    pipedInfo: () => microsecondsOfRequest(pipe, '/?content=project&format=json'),
    version: () => microsecondsOfRequest(service, '/api/v1/project/version', headers),
    pipedVersion: () => microsecondsOfRequest(pipe, '/?content=version&format=json'),
  });
  await stopAll();
  return [
    against(
      '`/project/info`, cached, with an API key, against the bare pipe',
      costs.pipedInfo,
      costs.info,
      '≥ 0.8',
    ),
    against('`/project/version`, likewise', costs.pipedVersion, costs.version, '≥ 1'),
  ];
}

function against(what: string, base: number, cost: number, target: string): Row {
  return {
    what: `${what}: requests per second of processor time`,
    figures: `${Math.round(cost)} µs against ${Math.round(base)} µs`,
    ratio: base / cost,
    target,
  };
}

/** Measures all in turn, so that a change of the machine's load affects them alike. The first round is a warm-up. */
async function costsOf<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const costs = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const cost = await measures[name]();
      if (round > 0) costs[name].push(cost);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(costs[name])])) as Record<Name, number>;
}

async function microsecondsOfRequest(
  server: ProcessUnderTest,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const before = await cpuMs(server);
  const { requestsPerSecond, failures } = await load(server.url + path, {
    connections: CONNECTIONS,
    seconds: SECONDS,
    headers,
  });
  if (failures > 0) throw new Error(`${failures} requests of ${path} failed.`);
  return (((await cpuMs(server)) - before) * 1000) / (requestsPerSecond * SECONDS);
}

async function cpuMs(server: ProcessUnderTest): Promise<number> {
  return ((await server.ask('report')) as { readonly cpuMs: number }).cpuMs;
}
