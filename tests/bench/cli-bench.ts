import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './load.js';
import { stopAll, type ProcessUnderTest } from './process-under-test.js';
import { seconds, type Row } from './row.js';
import { runProcess } from './run-process.js';
import { COMMAND_LINE, serviceEnvironment, startUpstream } from './service.js';

const ROUNDS = 5;
const FORM = `token=${'A'.repeat(32)}&content=record&action=export&format=json&type=flat`;

/** Compares `crf export -o FILE` with `curl -o FILE` of the same bytes, with and without the start of the process. */
export async function cliBench(): Promise<Row[]> {
  if (!(await hasCurl())) return [{ what: '`crf export` against `curl`', figures: 'skipped: no curl here' }];
  const upstream = await startUpstream();
  const folder = await mkdtemp(join(tmpdir(), 'crf-bench-'));
  try {
    return rowsOf(await measure(upstream, join(folder, 'records.json')));
  } finally {
    await rm(folder, { recursive: true, force: true });
    await stopAll();
  }
}

interface Times {
  readonly crf: number;
  readonly crfStart: number;
  readonly curl: number;
  readonly curlStart: number;
}

async function measure(upstream: ProcessUnderTest, file: string): Promise<Times> {
  const env = serviceEnvironment(upstream.url);
  const crf = (...args: string[]): Promise<number> =>
    runProcess(process.execPath, [COMMAND_LINE, ...args], env);
  const rounds: Times[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      crf: await crf('export', '--format', 'json', '--output', file, '--force'),
      crfStart: await crf('--version'),
      curl: await runProcess('curl', ['-sS', '--fail', '-d', FORM, '-o', file, upstream.url]),
      curlStart: await runProcess('curl', ['--version']),
    });
  }
  const middle = (name: keyof Times): number => median(rounds.map((round) => round[name]));
  return {
    crf: middle('crf'),
    crfStart: middle('crfStart'),
    curl: middle('curl'),
    curlStart: middle('curlStart'),
  };
}

function rowsOf({ crf, crfStart, curl, curlStart }: Times): Row[] {
  const what = '`crf export -o FILE` of 100,000 × 50 against `curl -o FILE` of the upstream';
  const [ours, theirs] = [crf - crfStart, curl - curlStart];
  return [
    { what, figures: `${seconds(crf)} against ${seconds(curl)}`, ratio: crf / curl },
    {
      what: `${what}, less the time of \`--version\``,
      figures: `${seconds(ours)} against ${seconds(theirs)}`,
      ratio: ours / theirs,
    },
  ];
}

async function hasCurl(): Promise<boolean> {
  return runProcess('curl', ['--version']).then(
    () => true,
    () => false,
  );
}
