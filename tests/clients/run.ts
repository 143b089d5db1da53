/**
 * `npm run test:clients -- --pycap DIR --redcapr DIR`: runs unmodified third-party clients against the sandbox, and
 * against the service in front of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeReport, surprisesOf, type ClientReport } from './outcome.js';
import { runPycap } from './pycap/run-pycap.js';
import { runRedcapr } from './redcapr/run-redcapr.js';

const USAGE = `npm run test:clients -- [--pycap DIR] [--redcapr DIR] [--python python3] [--rscript Rscript] [--only TEXT] [--stage sandbox|service]

DIR is a clone of the client's repository. Needs openssl, and what the client itself needs to run its tests.`;

const { values } = parseArgs({
  options: {
    pycap: { type: 'string' },
    redcapr: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    rscript: { type: 'string', default: 'Rscript' },
    only: { type: 'string', default: '' },
    stage: { type: 'string' },
  },
});

if (values.pycap === undefined && values.redcapr === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const reports: ClientReport[] = [];
for (const stage of ['sandbox', 'service'].filter((each) => (values.stage ?? each) === each)) {
  const directory = await mkdtemp(path.join(tmpdir(), 'crf-clients-'));
  const { pycap, redcapr, python, rscript, only } = values;
  const isThroughDoor = stage === 'service';
  try {
    if (pycap !== undefined)
      reports.push(await runPycap(path.resolve(pycap), directory, python, isThroughDoor));
    if (redcapr !== undefined)
      reports.push(await runRedcapr(path.resolve(redcapr), directory, rscript, isThroughDoor, only));
  } finally {
    await rm(directory, { recursive: true });
  }
}
for (const report of reports) console.log(describeReport(report));
const isSurprised = reports
  .map(surprisesOf)
  .some(({ failures, stale }) => failures.length + stale.length > 0);
process.exitCode = isSurprised ? 1 : 0;
