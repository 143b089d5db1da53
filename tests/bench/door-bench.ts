import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRedcapKey, hashApiKey } from '../../src/services/access/api-key.js';
import { download, type Download } from './download.js';
import { throughProxy } from './export-requests.js';
import { median, percentile } from './load.js';
import { stopAll } from './process-under-test.js';
import { runProcess } from './run-process.js';
import { milliseconds, seconds, type Row } from './row.js';
import { startProxy, startService, startUpstream } from './service.js';
import { fieldNamesOf } from './upstream/bench-rows.js';

const FIELDS = 50;
const RECORDS = 100_000;
const ROUNDS = 5;
const EXPORTS_AT_ONCE = 100;
const PROBE_EVERY_MS = 2;

/** Compares exports by REDCap's API, as a client of it makes them, with the bare pipe: without a policy, and with columns. */
export async function doorBench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'door-bench-'));
  try {
    const key = createRedcapKey();
    const env = {
      ALLOW_ANONYMOUS: 'false',
      API_KEYS: `bench:${hashApiKey(key)}:records:read`,
      AUDIT_LOG: 'off',
      // As many as by default: the other exports wait.
      CAPTURE_MAX_CONCURRENT: '8',
      CAPTURE_QUEUE_TIMEOUT_MS: '60000',
    };
    const [plain, wide] = [await startUpstream(), await startUpstream(RECORDS, FIELDS, 'rights')];
    const [proxy, open] = [await startProxy(plain), await startService(plain, env)];
    const restricted = await startService(wide, { ...env, POLICY_FILE: await policyFile(folder) });
    const rows: Row[] = [];
    for (const format of ['json', 'csv'] as const) {
      const piped = throughProxy(proxy.url, { records: RECORDS, format });
      const byDoor = call(open.url, key, { format });
      const [pipe, whole] = await alternately(piped, byDoor);
      rows.push({
        what: `export of 100,000 × 50 as ${format.toUpperCase()} by REDCap's API without a policy: time against the bare pipe's`,
        figures: `${seconds(whole)} against ${seconds(pipe)}`,
        ratio: whole / pipe,
        target: '≤ 1.1',
      });
      const [own, columns] = await alternately(
        call(open.url, key, { format }),
        call(restricted.url, key, { format }),
      );
      rows.push({
        what: `export of 100,000 × 50 as ${format.toUpperCase()} by REDCap's API under a policy by columns: throughput against the export without one`,
        figures: `${seconds(columns)} against ${seconds(own)}`,
        ratio: own / columns,
        target: '≥ 0.8',
      });
    }
    rows.push(await healthRow(open.url, key));
    await stopAll();
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A policy that hides what the answers of the upstream do not have, so that both exports are the same. */
async function policyFile(folder: string): Promise<string> {
  const path = join(folder, 'policy.yaml');
  const policy = 'columns: { forms: { bench: read }, records: all }';
  const text = `version: 1\npolicies:\n  ${policy}\nbindings:\n  - { key: bench, policy: columns }\n`;
  await writeFile(path, text);
  const lock = { version: 1, policies: { columns: { bench: fieldNamesOf(FIELDS) } } };
  await writeFile(join(folder, 'policy.lock'), JSON.stringify(lock));
  return path;
}

function formOf(key: string, parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams({ token: key, content: 'record', type: 'flat', ...parameters }).toString();
}

function call(url: string, key: string, parameters: Readonly<Record<string, string>>): Download {
  return {
    url: `${url}/api/`,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: [Buffer.from(formOf(key, parameters))],
  };
}

/** Returns the medians of two downloads, in turns. The first round is a warm-up. */
async function alternately(one: Download, other: Download): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [first, second] = [await download(one), await download(other)];
    if (first.bytes !== second.bytes) throw new Error(`${second.bytes} bytes, not ${first.bytes}.`);
    if (round === 0) continue;
    times[0].push(first.ms);
    times[1].push(second.ms);
  }
  return [median(times[0]), median(times[1])];
}

/** How long `/health` takes while many exports run that name every field, as those of PyCap do. */
async function healthRow(url: string, key: string): Promise<Row> {
  const fields = fieldNamesOf(FIELDS).map((field, at) => [`fields[${at}]`, field] as const);
  const form = formOf(key, {
    format: 'json',
    filterLogic: '[record_id]<10000',
    ...Object.fromEntries(fields),
  });
  const idle: number[] = [];
  for (let probe = 0; probe < 200; probe += 1) idle.push((await download({ url: `${url}/health` })).ms);
  let isOver = false;
  const worker = ['tests/bench/workers/read-all.mjs', `${url}/api/`, '*/*', String(EXPORTS_AT_ONCE), form];
  const crowd = runProcess(process.execPath, worker).finally(() => (isOver = true));
  const latencies: number[] = [];
  while (!isOver) {
    latencies.push((await download({ url: `${url}/health` })).ms);
    await pause(PROBE_EVERY_MS);
  }
  await crowd;
  return {
    what: `99th percentile of \`/health\` during ${EXPORTS_AT_ONCE} exports of 10,000 × 50 at once by REDCap's API`,
    figures: `${milliseconds(percentile(latencies, 0.99))}, median ${milliseconds(percentile(latencies, 0.5))}, ${latencies.length} requests; before them ${milliseconds(percentile(idle, 0.99))}`,
    target: '≤ 100 ms',
  };
}
