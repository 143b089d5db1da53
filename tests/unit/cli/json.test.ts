import { expect } from 'chai';
import { type Command, nameOf } from '../../../src/cli/command.js';
import { COMMANDS } from '../../../src/cli/commands.js';

/** What prints no result, or one that is no list and no object: a file, a stream, a text that is checked by people. */
const WITHOUT_JSON: readonly string[] = [
  ...['pdf', 'files get', 'file-repository get', 'project xml', 'schema', 'types', 'changes'], // a document of its own
  'dags switch', // nothing
  ...['backup', 'backup verify', 'restore', 'serve', 'sandbox'], // progress, on standard error
  ...['policy check', 'policy test', 'policy explain', 'policy accept', 'policy pseudonym'], // sentences
];

/** A command that does something, by its whole name. */
function* worksOf(name: string, command: Command): Generator<readonly [string, Command]> {
  if (command.subcommands.length === 0 || command.names.length > 0) yield [name, command];
  for (const listed of command.subcommands) yield* worksOf(`${name} ${nameOf(listed)}`, listed.command);
}

describe('--json', () => {
  it('is an option of every command that prints a list or a result, or one of its formats', async () => {
    const missing: string[] = [];
    for (const listed of COMMANDS)
      for (const [name, { names }] of worksOf(nameOf(listed), await listed.load()))
        if (!names.includes('json') && !names.includes('format')) missing.push(name);

    expect(missing.toSorted()).to.deep.equal(WITHOUT_JSON.toSorted());
  }).timeout(300_000);
});
