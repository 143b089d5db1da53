import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from '../../support/files-below.js';

const tests = fileURLToPath(new URL('../..', import.meta.url));

/** Programs of their own, whose parts are tested where the other tests are. */
const PROGRAMS = /^(bench|clients|fuzz|proof|soak)\//;

describe('Helpers of the tests', () => {
  it('are in tests/support, or in the folder of the tests that use them', () => {
    const borrowed = new Set<string>();
    for (const file of filesBelow(tests)) {
      if (!file.endsWith('.ts')) continue;
      for (const [, path = ''] of readFileSync(join(tests, file), 'utf8').matchAll(/from '(\.[^']*)\.js'/g)) {
        const helper = relative(tests, join(tests, dirname(file), path));
        const isShared = helper.startsWith('..') || helper.startsWith('support/') || PROGRAMS.test(helper);
        const isOwn =
          `${dirname(helper)}/`.startsWith(`${dirname(file)}/`) || file.startsWith(`${dirname(helper)}/`);
        if (!isShared && !isOwn) borrowed.add(`tests/${helper}.ts, which ${file} imports`);
      }
    }

    expect([...borrowed]).to.deep.equal([], 'move these to tests/support');
  });
});
