import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from './load.js';
import { startProcess, type ProcessUnderTest } from './process-under-test.js';
import { seconds, type Row } from './row.js';
import { COMMAND_LINE, SERVICE } from './service.js';

const RUNS = 9;

/** Measures how long processes take to start: the server to the first 200 of `/health`, the command line to its end. */
export async function startBench(): Promise<Row[]> {
  const times = await mediansOf({
    sandbox: () => timeToAnswer('/health', [SERVICE], { PORT: '0', LOG_FORMAT: 'json' }),
    node: () => timeOf(['--eval', '0']),
    help: () => timeOf([COMMAND_LINE, '--help']),
  });
  return [
    {
      what: 'process start to the first 200 of `/health`, on the sandbox',
      figures: seconds(times.sandbox),
      target: '< 0.7 s',
    },
    {
      what: '`crf --help` against `node -e 0`',
      figures: `${seconds(times.help)} against ${seconds(times.node)}`,
      ratio: times.help / times.node,
      target: 'about 2',
    },
  ];
}

/** Measures all in turn, so that a change of the machine's load affects them alike. */
async function mediansOf<Name extends string>(
  measures: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (let run = 0; run < RUNS; run += 1) {
    for (const name of names) times.get(name)?.push(await measures[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Name,
    number
  >;
}

async function timeToAnswer(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const started = performance.now();
  const server: ProcessUnderTest = await startProcess(args, env);
  const answer = await fetch(server.url + path);
  await answer.arrayBuffer();
  const took = performance.now() - started;
  await server.stop();
  if (!answer.ok) throw new Error(`${path} responded with ${answer.status}.`);
  return took;
}

async function timeOf(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '' },
    stdio: 'ignore',
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}.`);
  return performance.now() - started;
}
