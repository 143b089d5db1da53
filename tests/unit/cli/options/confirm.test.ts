import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { confirm } from '../../../../src/cli/options/confirm.js';
import { rejection } from '../../../support/rejection.js';

/** A terminal on which the given keys are pressed when the question appears. */
function terminal(keys: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  output.once('data', () => void input.write(keys));
  return { stdin: () => input, stderr: output };
}

describe('confirm', () => {
  for (const yes of ['y', 'Y', 'yes', ' yes ']) {
    it(`continues after ${JSON.stringify(yes)}`, async () => {
      await confirm('Delete it', false, terminal(`${yes}\n`));
    });
  }

  for (const [what, keys, exitCode] of [
    ['no', 'n\n', 1],
    ['an empty line', '\n', 1],
    ['a word that is not yes', 'interrupted\n', 1],
    ['Ctrl-D', '\u0004', 1],
    ['Ctrl-C', '\u0003', 130],
  ] as const) {
    it(`does nothing after ${what}, reports that, and exits ${exitCode}`, async () => {
      const error = await rejection(confirm('Delete it', false, terminal(keys)));

      expect(error).to.include({ name: 'CliError', exitCode });
      expect((error as Error).message).to.match(/Nothing was done\.$/);
    });
  }

  it('does not ask with --yes or without a terminal', async () => {
    const none = { stdin: () => new PassThrough(), stderr: new PassThrough() };

    await confirm('Delete it', true, none);

    expect(await rejection(confirm('Delete it', false, none))).to.include({
      exitCode: 2,
      message: 'Delete it? Confirm with --yes: there is no terminal to ask on.',
    });
  });
});
