import { expect } from 'chai';
import { createParser } from '../../../../src/cli/create-parser.js';
import { VERSION_PROFILES } from '../../../../src/sandbox/redcap/server-version.js';
import { rejection } from '../../../support/rejection.js';

describe('crf sandbox --redcap-version', () => {
  for (const profile of Object.keys(VERSION_PROFILES)) {
    it(`keeps ${profile} as text, not as a number`, async () => {
      const parser = createParser(['sandbox', '--redcap-version', profile, '--port', '65536']);

      // The port is checked after the choices: the profile was accepted.
      expect(await rejection(Promise.resolve().then(() => parser.parseAsync())))
        .to.have.property('message')
        .that.includes('--port');
    });
  }
});
