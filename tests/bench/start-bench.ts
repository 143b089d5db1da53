import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from './load.js';
import { startProcess, type ProcessUnderTest } from './process-under-test.js';
import { seconds, type Row } from './row.js';
import { COMMAND_LINE, SERVICE, serviceEnvironment, startUpstream } from './service.js';

const RUNS = 9;
const PIPE = 'tests/bench/servers/pipe-proxy.mjs';
const BARE_EXPRESS = 'tests/bench/servers/bare-express.mjs';

/** Measures how long processes take to start: the server to the first 200 of `/health`, the command line to its end. */
export async function startBench(): Promise<Row[]> {
  const upstream = await startUpstream(10);
  const environment = serviceEnvironment(upstream.url);
  const times = await mediansOf({
    sandbox: () => timeToAnswer('/health', [SERVICE], { PORT: '0', LOG_FORMAT: 'json' }),
    configured: () => timeToAnswer('/health', [SERVICE], environment),
    express: () => timeToAnswer('/health', [BARE_EXPRESS]),
    pipe: () => timeToAnswer('/', [PIPE, upstream.url, 'A'.repeat(32)]),
    node: () => timeOf(['--eval', '0']),
    help: () => timeOf([COMMAND_LINE, '--help']),
    version: () => timeOf([COMMAND_LINE, 'version'], environment),
  });
  await upstream.stop();
  const against = (what: string, time: number, base: number, target?: string): Row => ({
    what,
    figures: `${seconds(time)} against ${seconds(base)}`,
    ratio: time / base,
    target,
  });
  return [
    {
      what: 'process start to the first 200 of `/health`, on the sandbox',
      figures: seconds(times.sandbox),
      target: '< 0.7 s',
    },
    against('the same with a REDCap, against the bare pipe', times.configured, times.pipe, '< 2'),
    against('bare `express()` + `app.listen`, against the bare pipe', times.express, times.pipe),
    against('`crf --help` against `node -e 0`', times.help, times.node, '< 1.5'),
    against('`crf version`, asking REDCap, against `node -e 0`', times.version, times.node, '< 2.5'),
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
  env?: Readonly<Record<string, string>>,
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

async function timeOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}.`);
  return performance.now() - started;
}
