import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportTarget } from '../../../../src/cli/files/file-target.js';
import { ProblemReport } from '../../../../src/cli/files/problem-report.js';
import { readTextFile, readUpload } from '../../../../src/cli/files/read-files.js';
import { unreadableFile, unwritableFile } from '../../../../src/cli/files/refused-file.js';
import { rejection } from '../../../support/rejection.js';

const IO = {
  stdout: process.stdout,
  stdin: () => process.stdin,
  interrupt: () => new AbortController().signal,
};
const TARGET = { isForced: false, isResumed: false, isResumable: false };

describe('A file that cannot be used', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'crf-refused-'));
    writeFileSync(join(folder, 'a.txt'), 'a');
  });
  after(() => rmSync(folder, { recursive: true }));

  const target = (path: string): Promise<unknown> => exportTarget(path, TARGET, IO);
  for (const [what, use, message] of [
    [
      'a text that is missing',
      () => readTextFile(join(folder, 'b.txt'), IO),
      'file must name a file that exists.',
    ],
    [
      'a text that is a folder',
      () => readTextFile(folder, IO, '--check'),
      '--check must name a file, not a folder.',
    ],
    [
      'an upload that is missing',
      () => readUpload({ file: join(folder, 'b') }, IO),
      'file must name a file that exists.',
    ],
    [
      'an upload that is a folder',
      () => readUpload({ file: folder }, IO),
      'file must name a file, not a folder.',
    ],
    [
      'an export into a missing folder',
      () => target(join(folder, 'none', 'x.csv')),
      '--output must name a file in a folder that exists.',
    ],
    [
      'an export below a file',
      () => target(join(folder, 'a.txt', 'x.csv')),
      '--output must name a file in a folder that exists.',
    ],
    ['an export to a folder', () => target(folder), '--output must name a file, not a folder.'],
    [
      'a report in a missing folder',
      async () => new ProblemReport(join(folder, 'none', 'p.csv'), process.stdout),
      '--report must name a file in a folder that exists.',
    ],
    [
      'a report to a folder',
      async () => new ProblemReport(folder, process.stdout),
      '--report must name a file, not a folder.',
    ],
  ] as const) {
    it(`is refused by its option and the reason: ${what}`, async () => {
      expect(await rejection(Promise.resolve().then(use))).to.include({ code: 'invalid_request', message });
    });
  }

  it('is refused with the code of the file system where there are no words for it', () => {
    const { message } = unwritableFile('--output', { code: 'EACCES' });

    expect(message).to.equal('--output must name a file that you are allowed to write.');
    expect(unreadableFile('file', { code: 'EIO' }).message).to.equal(
      'file must name a file that can be read (EIO).',
    );
    expect(unreadableFile('file', undefined).message).to.equal('file must name a file that can be read.');
  });
});
