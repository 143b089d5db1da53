import { load, median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import type { Row } from './row.js';
import { startService, startUpstream } from './service.js';

const SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 16;
/** What an operator may switch on; the first is what the others are held against. */
const SETTINGS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['neither', { AUDIT_LOG: 'off' }],
  ['the audit log', { AUDIT_LOG: 'stdout' }],
  ['metrics', { AUDIT_LOG: 'off', ADMIN_PORT: '0' }],
  ['both', { AUDIT_LOG: 'stdout', ADMIN_PORT: '0' }],
];

/** What the audit log and the metrics cost a small, cached answer: in turn, so that drift hits all alike. */
export async function observedBench(): Promise<Row[]> {
  const upstream = await startUpstream(100);
  const services: ProcessUnderTest[] = [];
  for (const [, settings] of SETTINGS) services.push(await startService(upstream, settings));
  const rates = SETTINGS.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { url }] of services.entries()) {
      const path = `${url}/api/v1/project/info`;
      const { requestsPerSecond } = await load(path, { connections: CONNECTIONS, seconds: SECONDS });
      rates[index]?.push(requestsPerSecond);
    }
  }
  await stopAll();

  const [plain = Number.NaN, ...others] = rates.map(median);
  return others.map((rate, index) => ({
    what: `\`/project/info\`, cached, 16 connections, with ${SETTINGS[index + 1]?.[0] ?? ''} against without`,
    figures: `${perSecond(rate)} against ${perSecond(plain)}`,
    ratio: rate / plain,
  }));
}

function perSecond(rate: number): string {
  return `${Math.round(rate).toLocaleString('en')}/s`;
}
