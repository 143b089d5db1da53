import { expect } from 'chai';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCrf, spawnCrf } from '../../support/run-crf.js';

describe('crf export to a named pipe', function () {
  this.timeout(60_000);
  let folder: string;
  let pipe: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-pipe-'));
    pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('waits for its reader, and writes everything to it', async () => {
    let reader: Promise<string> | undefined;
    const { exitCode, stderr } = await runCrf(['export', '--sandbox', '--format', 'csv', '-o', pipe], {
      // The first message is about the sandbox.
      onOutput: () => {
        reader ??= text(spawn('cat', [pipe]).stdout);
      },
    });

    expect(exitCode, stderr).to.equal(0);
    expect((await reader)?.split('\n')).to.have.lengthOf.above(601);
    expect(stderr).to.match(/Exported 601 rows to .*pipe/);
  });

  it('CLI-01: can be interrupted while there is no reader', async () => {
    const { exitCode, stderr } = await spawnCrf(['export', '--sandbox', '-o', pipe], {
      onOutput: (said, kill) => {
        if (!said.includes('sandbox')) return;
        kill('SIGINT');
      },
    });

    expect(exitCode).to.equal(130);
    expect(stderr).to.include('Interrupted.');
  });
});
