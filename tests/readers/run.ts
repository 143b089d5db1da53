/** `npm run readers`: programs read copies of random projects. Not part of `npm test`, which has a short form; see `--help`. */
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { STUDY } from '../support/random-import-study.js';
import { armsStudy } from '../support/studies.js';
import { awkwardStudy } from './awkward-study.js';
import { differencesOf, expectedTables } from './cells.js';
import { duckDb } from './duckdb.js';
import { makeCopies, type Copies } from './make-copies.js';
import { isNotInstalled, psql, READERS } from './readers.js';
import { PostgresServer } from '../support/postgres-server.js';

const USAGE = `npm run readers -- [--count 200] [--seed 1] [--duckdb]

Copies random projects as crf sync does, and compares the cells that programs read from the copies. A program that is not
installed is left out. With \`--duckdb\`, DuckDB is installed from npm into a temporary folder.`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    duckdb: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [numRuns, seed] = [Number(values.count), Number(values.seed)];
if (values.help || !Number.isInteger(numRuns) || !Number.isInteger(seed)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}

const server = await PostgresServer.start();
const folder = mkdtempSync(join(tmpdir(), 'crf-readers-'));
try {
  const made: Copies[] = [];
  const studies = [awkwardStudy(), armsStudy(), ...fc.sample(STUDY, { numRuns, seed })];
  for (const [at, study] of studies.entries()) {
    const { copies, differences } = await makeCopies(study, join(folder, `${at}`), server.url(`study_${at}`));
    if (differences > 0)
      throw new Error(`Project ${at}: the copy differs from an export in ${differences} places.`);
    made.push(copies);
  }
  const readers = [...READERS, psql(server), ...(values.duckdb ? duckDb(join(folder, 'duckdb')) : [])];
  for (const { name, target, losses, read } of readers)
    try {
      const found = read(made.map((copies) => copies[target]));
      const differences = made.flatMap((copies, at) =>
        differencesOf(
          expectedTables(copies.sqlite),
          found.get(copies[target]) ?? new Map<string, never>(),
          losses,
        ).map((difference) => `project ${at}: ${difference}`),
      );
      console.log(`${name}: ${made.length} projects, ${differences.length} differences.`);
      for (const difference of differences.slice(0, 20)) console.log(`  ${difference}`);
      if (differences.length > 0) process.exitCode = 1;
    } catch (error) {
      if (!isNotInstalled(error)) throw error;
      console.log(`${name}: left out, because it is not installed.`);
    }
} finally {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
}
