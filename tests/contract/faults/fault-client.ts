import { createCrfClient, type CrfClientConfig } from '../../../src/client/create-crf-client.js';
import type { RedcapClient } from '../../../src/client/redcap-client.js';
import type { CrfClient } from '../../../src/gateways/redcap/crf-client.js';
import { LoopClock } from '../../support/loop-clock.js';
import { startFaultServer, type FaultScript, type FaultServer } from '../../support/fault-server.js';

/** A token that must turn up nowhere but in the body of a request. */
export const SENTINEL_TOKEN = 'DEADBEEF0123456789ABCDEFDEADBEEF';

export interface FaultBench {
  readonly server: FaultServer;
  readonly client: RedcapClient;
  /** The time of the client, unless the test brings its own. */
  readonly clock: LoopClock;
}

type ClientConfig = Partial<Omit<CrfClientConfig, 'url' | 'token'>>;

/** Short times on a clock that waits for this process, no retries and no cache, so that each test says what it wants of them. */
export const BARE: ClientConfig = {
  timeouts: { connectMs: 150, firstByteMs: 150, idleMs: 150 },
  resilience: { maxRetries: 0, cacheMs: 0, callsPerMinute: 0, retryBaseMs: 5 },
};

/** A client with the short times of `BARE`, for a test that brings its own server. */
export const bareClient = (url: string, config: ClientConfig = {}): RedcapClient =>
  createCrfClient({ clock: new LoopClock(), url, token: SENTINEL_TOKEN, ...BARE, ...config });

/** Runs a test with a server that plays a script and a client of it, and stops both. */
export async function withFaults(
  script: FaultScript,
  test: (bench: FaultBench) => Promise<void>,
  config: ClientConfig = {},
): Promise<void> {
  const server = await startFaultServer(script);
  const clock = new LoopClock();
  const client = createCrfClient({
    clock,
    url: server.url,
    token: SENTINEL_TOKEN,
    ...BARE,
    ...config,
    resilience: { ...BARE.resilience, ...config.resilience },
  });
  try {
    await test({ server, client, clock });
  } finally {
    client.close();
    await server.close();
  }
}

/** The whole of an export's bytes. */
export async function download(client: CrfClient, format: 'json' | 'csv'): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await client.openRecords({ format })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const ROWS = Array.from({ length: 2_000 }, (_, index) => ({
  record_id: `participant-${String(index).padStart(8, '0')}`,
  age: String(20 + (index % 60)),
}));

/** A good export of 2,000 records, in both forms: large enough to come in several pieces. */
export const EXPORTS = {
  json: JSON.stringify(ROWS),
  csv: ['record_id,age', ...ROWS.map(({ record_id, age }) => `${record_id},${age}`), ''].join('\n'),
} as const;
