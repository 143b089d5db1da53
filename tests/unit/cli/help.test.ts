import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { RESOURCE_COMMANDS } from '../../../src/cli/actions/resource-commands.js';
import { COMMANDS, commandLinePage, helpOf } from '../../../scripts/command-line-page.js';

const root = new URL('../../../', import.meta.url);

describe('crf --help', () => {
  it('matches docs/command-line.md for every command', async () => {
    const page = readFileSync(new URL('docs/command-line.md', root), 'utf8');

    expect(await commandLinePage()).to.equal(page, 'run: npx tsx scripts/command-line-page.ts');
  });

  it('lists a command for each file of src/cli/commands', () => {
    const files = readdirSync(new URL('src/cli/commands/', root))
      .map((file) => file.replace(/\.ts$/, ''))
      // One file defines all commands that list a project resource.
      .flatMap((file) => (file === 'resources' ? Object.keys(RESOURCE_COMMANDS) : [file]));

    expect(new Set(COMMANDS.flatMap(([first]) => first ?? []))).to.deep.equal(new Set(files));
  });

  for (const command of COMMANDS) {
    it(`fits in 100 columns: ${['crf', ...command].join(' ')}`, async () => {
      const lines = (await helpOf(command)).split('\n');

      expect(lines.filter((line) => line.length > 100)).to.deep.equal([]);
    });

    it(`CLI-01: accepts no secret as a flag: ${['crf', ...command].join(' ')}`, async () => {
      expect(await helpOf(command)).to.not.match(/--[a-z-]*(token|secret|password|key)\b/);
    });
  }
});
