import { type CrfClientConfig, createCrfClient } from '../../src/client/create-crf-client.js';
import type { CrfClient } from '../../src/gateways/redcap/crf-client.js';
import { LoopClock } from './loop-clock.js';
import { startFaultServer, type FaultScript, type FaultServer } from './fault-server.js';

/** A token that may appear only in the body of a request. */
export const SENTINEL_TOKEN = 'DEADBEEF0123456789ABCDEFDEADBEEF';

export interface FaultBench {
  readonly server: FaultServer;
  readonly client: CrfClient;
  /** The clock of the client, unless the test passes another. */
  readonly clock: LoopClock;
}

type ClientConfig = Partial<Omit<CrfClientConfig, 'url' | 'token'>>;

/**
 * Short time limits on a clock that waits for this process, without retries and cache, so that tests set what they
 * need.
 */
export const BARE: ClientConfig = {
  timeouts: { connectMs: 150, firstByteMs: 150, idleMs: 150 },
  resilience: { maxRetries: 0, cacheMs: 0, callsPerMinute: 0, retryBaseMs: 5 },
};

/** Creates a client with the short time limits of `BARE`, for a test that has its own server. */
export const bareClient = (url: string, config: ClientConfig = {}): CrfClient =>
  createCrfClient({ clock: new LoopClock(), url, token: SENTINEL_TOKEN, ...BARE, ...config });

/** Runs a test with a scripted server and a client of it, and stops both. */
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

/** Returns all bytes of an export. */
export async function download(client: CrfClient, format: 'json' | 'csv'): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await client.openRecords({ format })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const ROWS = Array.from({ length: 2_000 }, (_, index) => ({
  record_id: `participant-${String(index).padStart(8, '0')}`,
  age: String(20 + (index % 60)),
}));

/** A valid export of 2,000 records in both formats, large enough to arrive in several pieces. */
export const EXPORTS = {
  json: JSON.stringify(ROWS),
  csv: ['record_id,age', ...ROWS.map(({ record_id, age }) => `${record_id},${age}`), ''].join('\n'),
} as const;
