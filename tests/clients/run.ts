/** `npm run test:clients -- --pycap DIR --redcapr DIR`: runs unmodified third-party clients against the sandbox. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeReport, surprisesOf, type ClientReport } from './outcome.js';
import { runPycap } from './pycap/run-pycap.js';
import { runRedcapr } from './redcapr/run-redcapr.js';

const USAGE = `npm run test:clients -- [--pycap DIR] [--redcapr DIR] [--python python3] [--rscript Rscript] [--only TEXT]

DIR is a clone of the client's repository. Needs openssl, and what the client itself needs to run its tests.`;

const { values } = parseArgs({
  options: {
    pycap: { type: 'string' },
    redcapr: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    rscript: { type: 'string', default: 'Rscript' },
    only: { type: 'string', default: '' },
  },
});

if (values.pycap === undefined && values.redcapr === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const directory = await mkdtemp(path.join(tmpdir(), 'crf-clients-'));
const reports: ClientReport[] = [];
try {
  if (values.pycap !== undefined) {
    reports.push(await runPycap(path.resolve(values.pycap), directory, values.python));
  }
  if (values.redcapr !== undefined) {
    reports.push(await runRedcapr(path.resolve(values.redcapr), directory, values.rscript, values.only));
  }
} finally {
  await rm(directory, { recursive: true });
}
for (const report of reports) console.log(describeReport(report));
const isSurprised = reports
  .map(surprisesOf)
  .some(({ failures, stale }) => failures.length + stale.length > 0);
process.exitCode = isSurprised ? 1 : 0;
