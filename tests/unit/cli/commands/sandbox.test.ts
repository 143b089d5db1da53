import { expect } from 'chai';
import yargs from 'yargs';
import { sandboxCommand } from '../../../../src/cli/commands/sandbox.js';
import { VERSION_PROFILES } from '../../../../src/sandbox/redcap/server-version.js';

describe('crf sandbox --redcap-version', () => {
  for (const profile of Object.keys(VERSION_PROFILES)) {
    it(`keeps ${profile} as text, not as a number`, async () => {
      let taken: unknown;
      await yargs()
        .command({ ...sandboxCommand, handler: (given) => void (taken = given['redcap-version']) })
        .exitProcess(false)
        .parseAsync(['sandbox', '--redcap-version', profile]);

      expect(taken).to.equal(profile);
    });
  }
});
