import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { COMMAND_PATHS, commandLinePage, helpOf } from '../../../scripts/command-line-page.js';
import { COMMANDS } from '../../../src/cli/commands.js';

const root = new URL('../../../', import.meta.url);

describe('crf --help', () => {
  const helps = new Map<string, string>();
  before(async () => {
    for (const command of COMMAND_PATHS) helps.set(command.join(' '), await helpOf(command));
  });
  const shown = (command: readonly string[]): string => helps.get(command.join(' ')) ?? '';

  it('matches docs/reference/command-line.md for every command', async () => {
    const page = readFileSync(new URL('docs/reference/command-line.md', root), 'utf8');

    expect(await commandLinePage()).to.equal(page, 'run: npx tsx scripts/command-line-page.ts');
  });

  it('groups the commands as the table of README.md does, in its order', () => {
    const readme = readFileSync(new URL('README.md', root), 'utf8');
    const [, table = ''] = /\n\| To +\| REST .*\n\|.*\n((?:\|.*\n)+)/.exec(readme) ?? [];
    const titles = [...table.matchAll(/^\| ([^|]+?) *\|/gm)].map(([, title = '']) => title);

    expect([...new Set(COMMANDS.map(({ group }) => group.toLowerCase()))]).to.deep.equal(titles);
    const heads = [...shown([]).matchAll(/^(\w.*):\n {2}crf /gm)].map(([, head = '']) => head.toLowerCase());
    expect(heads).to.deep.equal([...titles, 'use the shell']);
  });

  it('has every command that a file of src/cli/commands exports', async () => {
    const files = readdirSync(new URL('src/cli/commands/', root)).filter((file) => file.endsWith('.ts'));
    const listed = new Set<unknown>(await Promise.all(COMMANDS.map(({ load }) => load())));
    const missing: string[] = [];
    for (const file of files) {
      const { command } = (await import(new URL(`src/cli/commands/${file}`, root).href)) as {
        readonly command?: unknown;
      };
      if (command !== undefined && !listed.has(command)) missing.push(file);
    }

    expect(missing).to.deep.equal([], 'add these to HELP in src/cli/commands.ts');
  });

  for (const command of COMMAND_PATHS) {
    it(`has the global options that the page lists once: ${['crf', ...command].join(' ')}`, () => {
      const [, options = ''] = /\nGlobal options:\n(.*?)\n\n/s.exec(shown([])) ?? [];
      const help = shown(command);

      expect(options).to.include('--sandbox').and.to.include('--help');
      expect(options.split('\n').filter((line) => !help.includes(line))).to.deep.equal([]);
    });

    it(`fits in 100 columns: ${['crf', ...command].join(' ')}`, () => {
      const lines = shown(command).split('\n');

      expect(lines.filter((line) => line.length > 100)).to.deep.equal([]);
    });

    it(`shows each example as one line to paste, below what it does: ${['crf', ...command].join(' ')}`, () => {
      const [, examples = ''] = /\nExamples:\n((?: {2}.+\n?)*)/.exec(shown(command)) ?? [];

      expect(examples).to.match(/^(?: {2}# .+\n {2}(?:\S.*)?\bcrf .+(?:\n|$))*$/);
    });

    it(`CLI-01: accepts no secret as a flag: ${['crf', ...command].join(' ')}`, () => {
      expect(shown(command)).to.not.match(/--[a-z-]*(token|secret|password|key)\b/);
    });
  }
});
