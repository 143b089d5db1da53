import { expect } from 'chai';
import { type Command, nameOf } from '../../../src/cli/command.js';
import { COMMANDS } from '../../../src/cli/commands.js';

/** What prints a document of its own, and what serves until it is stopped. */
const WITHOUT_JSON: readonly string[] = [
  ...['pdf', 'files get', 'file-repository get', 'project xml', 'schema', 'types', 'changes'], // a document of its own
  ...['serve', 'sandbox'], // a log
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
