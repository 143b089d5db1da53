import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFaultServer, type Fault, type FaultServer } from '../../support/fault-server.js';
import { runCrf, type CrfRun } from '../../support/run-crf.js';
import { startServiceWithAuth } from '../../support/start-service-with-auth.js';
import { BODY_OF, rowsOf, type Row } from '../../support/import-project.js';
import { bareClient, SENTINEL_TOKEN } from '../../support/fault-client.js';
import { designOf } from '../../support/import-faults.js';

/** A REDCap that counts one record too few in the call with a given number, until it is mended. */
async function startMiscounting(
  number: number,
): Promise<FaultServer & { readonly stored: Row[]; mend: () => void }> {
  const stored: Row[] = [];
  let calls = 0;
  let isMended = false;
  const server = await startFaultServer(({ form }): Fault => {
    const design = designOf(form);
    if (design !== undefined) return { kind: 'answer', body: design };
    if (!form.has('data')) return { kind: 'answer', body: '[]' };
    const rows = JSON.parse(form.get('data') ?? '[]') as Row[];
    const isShort = calls++ === number && !isMended;
    const kept = isShort ? rows.slice(1) : rows;
    stored.push(...kept);
    return { kind: 'answer', body: JSON.stringify({ count: kept.length }) };
  });
  return Object.assign(server, { stored, mend: () => (isMended = true) });
}

describe('An import that REDCap counts one record short', function () {
  this.timeout(60_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-counted-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const format of ['csv', 'ndjson', 'json'] as const) {
    it(`UP-09: is no success of crf import, which says with which command to go on (${format})`, async () => {
      const redcap = await startMiscounting(1);
      const environment = { CAPTURE_API_URL: redcap.url, CAPTURE_API_TOKEN: SENTINEL_TOKEN };
      const file = join(folder, `the rows.${format}`);
      writeFileSync(file, BODY_OF[format](rowsOf(15)));
      try {
        const first = await runCrf(['import', file, '--batch-size', '10', '--no-undo'], { environment });
        redcap.mend();
        const args = argumentsOf(first);
        const second = await runCrf(args, { environment });

        expect(first.exitCode, first.stderr).to.equal(1);
        expect(first.stderr).to.include('REDCap counted 4 of 5 records');
        expect(first.stderr).to.include('Stored: 10 records.').and.include('Rows 11 to 15 may not be stored');
        expect(args.slice(-2)).to.deep.equal(['--from-row', '11']);
        expect(second.exitCode, second.stderr).to.equal(0);
        expect(second.stderr).to.match(/^Stored 5 records in 1 call in /);
        expect(redcap.stored.slice(14)).to.deep.equal(rowsOf(15).slice(10));
      } finally {
        await redcap.close();
      }
    });
  }

  it('UP-09: is no success of the page that stores a file', async () => {
    const redcap = await startMiscounting(0);
    const client = bareClient(redcap.url);
    const running = await startServiceWithAuth(
      {},
      { capture: client, access: { sessionScopes: ['project:read', 'records:write'] } },
    );
    try {
      const person = await running.signedIn('grace');
      const body = new FormData();
      body.set('file', new Blob([BODY_OF.csv(rowsOf(3))], { type: 'text/csv' }), 'records.csv');

      const answer = await person.send('/try-file?store=yes', {
        ...{ method: 'POST', headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' }, body },
      });
      const page = await answer.text();

      expect(answer.status).to.equal(502);
      expect(page)
        .to.include('REDCap counted 2 of 3 records')
        .and.include('numbers 1 to 3 may not be stored');
      expect(page).to.not.include('in REDCap.</p>');
    } finally {
      await running.close();
      client.close();
      await redcap.close();
    }
  });
});

/** Returns the arguments of the command that the last line tells to run, as a shell would read them. */
function argumentsOf({ stderr }: CrfRun): string[] {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  expect(words.shift()).to.equal('crf');
  return words;
}
