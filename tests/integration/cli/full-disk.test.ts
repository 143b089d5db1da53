import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCrf } from '../../support/run-crf.js';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

/** Runs only if the system has a device that is always full. */
const describeOnLinux = existsSync('/dev/full') ? describe : describe.skip;

describeOnLinux('crf on a full disk', () => {
  for (const args of [['export'], ['version']]) {
    it(`reports the error without a stack trace and exits 1: crf ${args.join(' ')} > FILE`, async () => {
      const full = openSync('/dev/full', 'w');
      const { PATH, NODE_V8_COVERAGE } = process.env;
      const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
        env: { PATH, ...(NODE_V8_COVERAGE && { NODE_V8_COVERAGE }) },
        stdio: ['ignore', full, 'pipe'],
      });
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const [exitCode] = (await once(child, 'close')) as [number | null];
      closeSync(full);

      expect(exitCode).to.equal(1);
      expect(stderr).to.match(/The output could not be written \(ENOSPC\)\.\n$/);
      expect(stderr).to.not.match(/^ +at /m);
    });
  }

  it('stores an import whose report of problems is incomplete, and says both', async () => {
    const { exitCode, stderr } = await runCrf(
      ['import', '-', '--format', 'csv', '--sandbox', '--report', '/dev/full'],
      { input: 'record_id,age\nCOHORT-2026-PARTICIPANT-9001,42\n' },
    );

    expect(exitCode).to.equal(1);
    expect(stderr).to.match(
      /^Stored 1 record in 1 call in .*\nThe report \/dev\/full could not be written \(ENOSPC\)/m,
    );
    expect(stderr).to.not.match(/^ +at /m);
  });

  it('reports that the output file of an export is incomplete', async () => {
    const { exitCode, stderr } = await runCrf(['export', '--sandbox', '-o', '/dev/full']);

    expect(exitCode).to.equal(1);
    expect(stderr).to.include(
      'The output could not be written (ENOSPC).\nWhat was written to /dev/full is not whole.',
    );
  });
});
