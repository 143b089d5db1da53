import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey, hashApiKey } from '../../src/services/access/api-key.js';
import { download, type Download } from './download.js';
import { median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, seconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';
import { fieldNamesOf } from './upstream/bench-rows.js';

const FIELDS = 50;
const ROUNDS = 5;

/** What is compared, by the name of the API key: each is the same 100,000 × 50, in a project with ten fields more. */
const VIEWS = {
  columns: { policy: 'forms: { bench: read }, records: all', aim: '≥ 0.9' },
  group: { policy: 'forms: { bench: read }, records: { group: paris }', aim: '≥ 0.5' },
  where: { policy: `forms: { bench: read }, records: { where: "[field_1] <> ''" }`, aim: undefined },
} as const;

type View = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS) as View[];

/**
 * Compares exports under policies with the same export without any: a policy that only hides fields passes REDCap's
 * bytes on, and one that decides about records reads every row. All records are visible, so that all are written.
 */
export async function rightsBench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rights-bench-'));
  try {
    const upstream = await startUpstream(100_000, FIELDS, 'rights');
    const keys = Object.fromEntries(NAMES.map((name) => [name, createApiKey()])) as Record<View, string>;
    const open = await startService(upstream, { AUDIT_LOG: 'off' });
    const restricted = await startService(upstream, {
      ...(await policyFiles(folder)),
      ALLOW_ANONYMOUS: 'false',
      API_KEYS: NAMES.map((name) => `${name}:${hashApiKey(keys[name])}:records:read`).join(','),
      AUDIT_LOG: 'off',
    });
    const rows: Row[] = [];
    for (const format of ['json', 'csv']) rows.push(...(await rowsOf(open, restricted, keys, format)));
    await stopAll();
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function policyFiles(folder: string): Promise<Record<string, string>> {
  const path = join(folder, 'policy.yaml');
  const policies = NAMES.map((name) => `  ${name}: { ${VIEWS[name].policy} }`).join('\n');
  const bindings = NAMES.map((name) => `  - { key: ${name}, policy: ${name} }`).join('\n');
  await writeFile(path, `version: 1\npolicies:\n${policies}\nbindings:\n${bindings}\n`);
  const accepted = { bench: fieldNamesOf(FIELDS) };
  const lock = { version: 1, policies: Object.fromEntries(NAMES.map((name) => [name, accepted])) };
  await writeFile(join(folder, 'policy.lock'), JSON.stringify(lock));
  return { POLICY_FILE: path };
}

async function rowsOf(
  open: ProcessUnderTest,
  restricted: ProcessUnderTest,
  keys: Readonly<Record<View, string>>,
  format: string,
): Promise<Row[]> {
  const path = `/api/v1/records?format=${format}`;
  const ask = (name: View): Download => ({
    url: `${restricted.url}${path}`,
    headers: { authorization: `Bearer ${keys[name]}` },
  });
  const times: Record<View | 'open', number[]> = { open: [], columns: [], group: [], where: [] };
  const peaks: Partial<Record<View, number>> = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { ms, bytes } = await download({ url: `${open.url}${path}` });
    if (round > 0) times.open.push(ms);
    for (const name of NAMES) {
      restricted.resetPeakRss();
      const before = restricted.rssMb();
      const found = await download(ask(name));
      if (found.bytes !== bytes)
        throw new Error(`The export by ${name} has ${found.bytes} bytes, not ${bytes}.`);
      if (round === 0) continue;
      times[name].push(found.ms);
      peaks[name] = Math.max(peaks[name] ?? 0, restricted.peakRssMb() - before);
    }
  }
  const whole = median(times.open);
  return NAMES.map((name) => ({
    what: `export of 100,000 × 50 as ${format.toUpperCase()} under a policy by ${name}: throughput against the export without one`,
    figures: `${seconds(median(times[name]))} against ${seconds(whole)}; at most ${megabytes(peaks[name] ?? Number.NaN)} above the memory before`,
    ratio: whole / median(times[name]),
    target: VIEWS[name].aim,
  }));
}
