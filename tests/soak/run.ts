/** `npm run soak`: keeps one server under a steady load for a long time. Not part of `npm test`; see `--help`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDemoStudy } from '../../src/sandbox/demo-study/demo-study.js';
import { createApiKey, hashApiKey } from '../../src/services/access/api-key.js';
import { RedisServer } from '../support/redis-server.js';
import { runCrf } from '../support/run-crf.js';
import { runServer } from '../support/run-server.js';
import { startTestSandbox } from '../support/start-sandbox.js';
import { SoakLoad } from './soak-load.js';
import { riseOf, slopePerHour, type Sample } from './trend.js';

const USAGE = `npm run soak -- [--minutes 60] [--rate R] [--redis]

One server in front of a sandbox, under a mix of reads, exports, imports and refusals. Fails on any answer that is not the
expected one, when heap (after a collection) or file descriptors rise, and when the audit log is not intact at the end.

  --minutes  how long; 60 by default
  --rate     requests a second; half of what it can do, measured first, by default
  --redis    with a redis-server for what replicas share`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string' },
    redis: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (values.help || !(minutes > 0) || (values.rate !== undefined && !(Number(values.rate) > 0))) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

const CLIENTS = 8;
const WARM_UP_MS = 15_000;
const SAMPLES = 60;
/** A smaller rise is noise. */
const HEAP_RISE_MB = 6;
const DESCRIPTOR_RISE = 4;
/** The server collects its garbage on request, so that only what is still held is measured. */
const COLLECT = "process.on('SIGUSR2', () => globalThis.gc())";

const folder = await mkdtemp(join(tmpdir(), 'crf-soak-'));
const auditLog = join(folder, 'audit.log');
const redcap = await startTestSandbox(createDemoStudy({ participants: 50 }));
const redis = values.redis ? await RedisServer.start() : undefined;
const key = createApiKey();
const server = await runServer(
  {
    CAPTURE_API_URL: redcap.url,
    CAPTURE_API_TOKEN: redcap.token,
    CAPTURE_CALLS_PER_MINUTE: '0',
    API_KEYS: `soak:${hashApiKey(key)}:project:read+records:read+records:write+users:read`,
    API_CALLS_PER_MINUTE: '0',
    API_FAILED_AUTH_PER_MINUTE: '0',
    ADMIN_PORT: '0',
    AUDIT_LOG: `file:${auditLog}`,
    ...(redis !== undefined && { REDIS_URL: redis.url }),
  },
  ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(COLLECT)}`],
);
const adminUrl =
  (server.log as readonly { admin?: string }[]).find(({ admin }) => admin !== undefined)?.admin ?? '';

/** Reads the figures of the process after a garbage collection. */
async function measure(): Promise<{ heapMb: number; rssMb: number; descriptors: number }> {
  server.kill('SIGUSR2');
  await pause(500);
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const of = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    heapMb: of('nodejs_heap_size_used_bytes') / 2 ** 20,
    rssMb: of('process_resident_memory_bytes') / 2 ** 20,
    descriptors: of('process_open_fds'),
  };
}

const complaints: string[] = [];
try {
  const load = new SoakLoad(server.url, `Bearer ${key}`, CLIENTS);
  // Until everything is compiled and every pool is filled; the rate then is the maximum.
  await load.run(WARM_UP_MS);
  const before = load.good;
  await load.run(WARM_UP_MS);
  const capacity = (load.good - before) / (WARM_UP_MS / 1000);
  const rate = values.rate === undefined ? capacity / 2 : Number(values.rate);
  console.log(`${capacity.toFixed(0)} requests a second at most; ${rate.toFixed(0)} for ${minutes} minutes.`);

  const began = performance.now();
  const hours = (): number => (performance.now() - began) / 3_600_000;
  const heap: Sample[] = [];
  const descriptors: Sample[] = [];
  for (let round = 1; round <= SAMPLES; round += 1) {
    await load.run((minutes * 60_000) / SAMPLES, rate);
    const figures = await measure();
    heap.push({ hours: hours(), value: figures.heapMb });
    descriptors.push({ hours: hours(), value: figures.descriptors });
    if (round % 6 === 0) {
      console.log(
        `${(hours() * 60).toFixed(0)} min: ${load.good} answers, heap ${figures.heapMb.toFixed(1)} MB, resident ${figures.rssMb.toFixed(0)} MB, ${figures.descriptors} descriptors`,
      );
    }
  }
  load.close();
  // What was compiled or cached late is not part of a trend.
  const [steadyHeap, steadyDescriptors] = [heap.slice(SAMPLES / 5), descriptors.slice(SAMPLES / 5)];
  console.log(
    `${load.good} answers as expected; heap ${slopePerHour(steadyHeap).toFixed(2)} MB an hour, descriptors ${slopePerHour(steadyDescriptors).toFixed(2)} an hour.`,
  );
  complaints.push(...Object.entries(load.wrong).map(([what, count]) => `${what} (${count} times)`));
  if (riseOf(steadyHeap) > HEAP_RISE_MB)
    complaints.push(`The heap has risen by ${riseOf(steadyHeap).toFixed(1)} MB.`);
  if (riseOf(steadyDescriptors) > DESCRIPTOR_RISE) complaints.push('Descriptors have risen.');
  if (server.log.some(({ level }) => level === 'fatal'))
    complaints.push('It has logged a fault that nobody caught.');

  server.kill('SIGTERM');
  const exitCode = await server.exited;
  if (exitCode !== 0) complaints.push(`The server ended with ${exitCode}.`);
  const { stdout, exitCode: verified } = await runCrf(['audit', 'verify', auditLog]);
  console.log(`Audit log: ${stdout.trim()}`);
  if (verified !== 0) complaints.push('The audit log is not intact.');
} finally {
  server.kill('SIGKILL');
  await redis?.dispose();
  await redcap.close();
  await rm(folder, { recursive: true });
}
for (const complaint of complaints) console.log(complaint);
console.log(complaints.length === 0 ? 'Passed.' : 'Failed.');
process.exitCode = complaints.length === 0 ? 0 : 1;
