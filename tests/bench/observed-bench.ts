import { load, median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import type { Row } from './row.js';
import { cpuMs, startService, startUpstream } from './service.js';

const SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 16;
/** The features an operator may enable. The others are compared with the first. */
const SETTINGS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['neither', { AUDIT_LOG: 'off' }],
  ['the audit log', { AUDIT_LOG: 'stdout' }],
  ['metrics', { AUDIT_LOG: 'off', ADMIN_PORT: '0' }],
  ['both', { AUDIT_LOG: 'stdout', ADMIN_PORT: '0' }],
];

/**
 * Measures the cost of the audit log and the metrics for a small, cached answer, alternately, so that drift affects all
 * alike. It counts CPU time, because on a busy machine the rate depends on other processes.
 */
export async function observedBench(): Promise<Row[]> {
  const upstream = await startUpstream(100);
  const services: ProcessUnderTest[] = [];
  for (const [, settings] of SETTINGS) services.push(await startService(upstream, settings));
  const costs = SETTINGS.map((): number[] => []);
  // The first round is a warm-up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, service] of services.entries()) {
      const cost = await microsecondsOfRequest(service);
      if (round > 0) costs[index]?.push(cost);
    }
  }
  await stopAll();

  const [plain = Number.NaN, ...others] = costs.map(median);
  return others.map((cost, index) => ({
    what: `processor time of \`/project/info\`, cached, with ${SETTINGS[index + 1]?.[0] ?? ''} against without`,
    figures: `${Math.round(cost)} µs against ${Math.round(plain)} µs`,
    ratio: cost / plain,
  }));
}

async function microsecondsOfRequest(service: ProcessUnderTest): Promise<number> {
  const before = await cpuMs(service);
  const path = `${service.url}/api/v1/project/info`;
  const { requestsPerSecond } = await load(path, { connections: CONNECTIONS, seconds: SECONDS });
  return (((await cpuMs(service)) - before) * 1000) / (requestsPerSecond * SECONDS);
}
