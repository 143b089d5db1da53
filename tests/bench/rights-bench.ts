import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApiKey, hashApiKey } from '../../src/services/access/api-key.js';
import { download, type Download } from './download.js';
import { median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { megabytes, milliseconds, seconds, type Row } from './row.js';
import { startService, startUpstream } from './service.js';
import { fieldNamesOf, ID_FIELD, idsOf } from './upstream/bench-rows.js';

const FIELDS = 50;
const ROUNDS = 5;

/** What is compared, by the name of the API key: each is the same 100,000 × 50, in a project with ten fields more. */
const VIEWS = {
  columns: { policy: 'forms: { bench: read }, records: all', aim: '≥ 0.9' },
  group: { policy: 'forms: { bench: read }, records: { dag: paris }', aim: undefined },
  where: { policy: `forms: { bench: read }, records: { where: "[field_1] <> ''" }`, aim: undefined },
  pseudonyms: {
    policy: 'forms: { bench: read }, records: all, transform: { record_id: pseudonym, dates: shift }',
    aim: '≥ 0.35',
  },
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
    rows.push(...(await peopleRows(upstream.url)));
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
  return { POLICY_FILE: path, PSEUDONYM_KEY: 'ab'.repeat(32) };
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
  const times: Record<View | 'open', number[]> = {
    open: [],
    columns: [],
    group: [],
    where: [],
    pseudonyms: [],
  };
  const peaks: Partial<Record<View, number>> = {};
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { ms, bytes } = await download({ url: `${open.url}${path}` });
    if (round > 0) times.open.push(ms);
    for (const name of NAMES) {
      restricted.resetPeakRss();
      const before = restricted.rssMb();
      const found = await download(ask(name));
      if (found.bytes !== bytes && name !== 'pseudonyms')
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

const PEOPLE = 1000;

/** What `people.mjs` found: milliseconds for each person, calls of REDCap, and what the services of all of them hold. */
interface People {
  readonly own: readonly number[];
  readonly one: readonly number[];
  readonly calls: number;
  readonly heldBytes: number;
}

/** What the own record of a person costs in a large project, and the services of many people. */
async function peopleRows(url: string): Promise<Row[]> {
  const [fields, ids] = [fieldNamesOf(FIELDS), idsOf(100_000).slice(-PEOPLE)];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--expose-gc',
      'tests/bench/workers/people.mjs',
      url,
      ID_FIELD,
      JSON.stringify(fields),
      JSON.stringify(ids),
    ],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  const { own, one, calls, heldBytes } = JSON.parse(stdout) as People;
  const [ofOwn, ofOne] = [median(own), median(one)];
  return [
    {
      what: 'reading the own record in a project of 100,000 × 50: time against reading one record by its id',
      figures: `${calls / PEOPLE} calls; ${milliseconds(ofOwn)} against ${milliseconds(ofOne)}`,
      ratio: ofOwn / ofOne,
      target: '≤ 1.5',
    },
    {
      what: 'the views of 1,000 people, each of their own record: memory',
      figures: megabytes(heldBytes / 1e6),
      target: '≤ 50 MB',
    },
  ];
}
