/** `npm run bench`: every figure is measured in this run, and every claim is a ratio within it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { cliBench } from './cli-bench.js';
import { crowdBench } from './crowd-bench.js';
import { doorBench } from './door-bench.js';
import { exportBench } from './export-bench.js';
import { exportMemoryBench } from './export-memory-bench.js';
import { healthBench, versionBench } from './http-bench.js';
import { importBench } from './import-bench.js';
import { importCallsBench } from './import-calls-bench.js';
import { observedBench } from './observed-bench.js';
import { stopAll } from './process-under-test.js';
import { parseBench } from './parse-bench.js';
import { projectsBench } from './projects-bench.js';
import { qualityBench } from './quality-bench.js';
import { realBench } from './real-bench.js';
import { rightsBench } from './rights-bench.js';
import type { Row } from './row.js';
import { shapeBench } from './shape-bench.js';
import { slowBench } from './slow-bench.js';
import { smallBench } from './small-bench.js';
import { syncBench } from './sync-bench.js';
import { summaryBench } from './summary-bench.js';
import { startBench } from './start-bench.js';
import { typedBench } from './typed-bench.js';

const SUITES: Readonly<Record<string, () => Promise<Row[]>>> = {
  start: startBench,
  health: healthBench,
  version: versionBench,
  small: smallBench,
  export: exportBench,
  memory: exportMemoryBench,
  rights: rightsBench,
  door: doorBench,
  projects: projectsBench,
  crowd: crowdBench,
  import: importBench,
  calls: importCallsBench,
  parse: parseBench,
  typed: typedBench,
  shape: shapeBench,
  summary: summaryBench,
  quality: qualityBench,
  observed: observedBench,
  sync: syncBench,
  slow: slowBench,
  cli: cliBench,
  real: realBench,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  console.error(`No suite ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}

const rows: Row[] = [];
try {
  for (const [name, suite] of Object.entries(SUITES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const started = performance.now();
    console.error(`${name} …`);
    rows.push(...(await suite()));
    console.error(`${name}: ${Math.round((performance.now() - started) / 1000)} s`);
  }
} finally {
  await stopAll();
}

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${process.platform}`;
const table = toMarkdown(rows);
mkdirSync('bench-results', { recursive: true });
writeFileSync(
  'bench-results/bench.json',
  JSON.stringify({ machine, at: new Date().toISOString(), rows }, null, 2),
);
writeFileSync('bench-results/bench.md', `${machine}\n\n${table}`);
console.log(`${machine}\n\n${table}`);
// Kept connections would keep the process alive for a while.
process.exit();

function toMarkdown(lines: readonly Row[]): string {
  const body = lines.map(
    ({ what, figures, ratio, target }) =>
      `| ${what} | ${figures} | ${ratio === undefined ? '' : ratio.toFixed(2)} | ${target ?? ''} |`,
  );
  return ['| What | Measured | Ratio | Target |', '|---|---|---|---|', ...body, ''].join('\n');
}
