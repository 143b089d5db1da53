import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from './load.js';
import { startProcess } from './process-under-test.js';
import { seconds, type Row } from './row.js';
import { COMMAND_LINE, SERVICE } from './service.js';

const RUNS = 7;

/** Measures the time from the start of the process to the first 200 of `/health`, and the duration of `crf --help`. */
export async function startBench(): Promise<Row[]> {
  const [start, help] = [await medianOf(timeToHealth), await medianOf(timeOfHelp)];
  return [
    {
      what: 'process start to the first 200 of `/health`, on the sandbox',
      figures: seconds(start),
      target: '< 0.7 s',
    },
    { what: '`crf --help`', figures: seconds(help), target: '< 0.25 s' },
  ];
}

async function medianOf(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measure());
  return median(times);
}

async function timeToHealth(): Promise<number> {
  const started = performance.now();
  const service = await startProcess([SERVICE], { PORT: '0', LOG_FORMAT: 'json' });
  const { ok } = await fetch(`${service.url}/health`);
  const took = performance.now() - started;
  await service.stop();
  if (!ok) throw new Error('/health did not answer 200.');
  return took;
}

async function timeOfHelp(): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, [COMMAND_LINE, '--help'], { stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - started;
}
