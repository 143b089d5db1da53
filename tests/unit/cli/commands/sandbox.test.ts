import { expect } from 'chai';
import { createParser } from '../../../../src/cli/create-parser.js';
import { VERSION_PROFILES } from '../../../../src/sandbox/redcap/version-profiles.js';
import { rejection } from '../../../support/rejection.js';

describe('crf sandbox --redcap-version', () => {
  for (const profile of Object.keys(VERSION_PROFILES)) {
    it(`keeps ${profile} as text, not as a number`, async () => {
      const args = ['sandbox', '--redcap-version', profile, '--port', '65536'];

      // The port is checked after the choices: the profile was accepted.
      expect(await rejection(parsed(args)))
        .to.have.property('message')
        .that.includes('--port');
    });
  }
});

/** Parses a command line, whose command must not run. */
async function parsed(args: readonly string[]): Promise<unknown> {
  const parser = await createParser(args, () => Promise.reject(new Error('The command runs.')));
  return parser.parseAsync();
}
