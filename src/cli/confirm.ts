import type { Argv } from 'yargs';
import { CliError } from './cli-error.js';
import { EXIT_CODES } from './exit-codes.js';
import type { GlobalArguments } from './global-arguments.js';

export interface YesArguments extends GlobalArguments {
  yes: boolean;
}

/** Adds `--yes` to a command that asks for confirmation before an irreversible change. */
export function withYes<Arguments>(yargs: Argv<Arguments>): Argv<Arguments & { yes: boolean }> {
  return yargs.option('yes', {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'Do not ask for confirmation; required without a terminal',
  });
}

/**
 * Asks for confirmation on the terminal before an irreversible change.
 *
 * @param question what will be done, without a question mark: `Delete the file of record 5`
 * @param isAgreed whether `--yes` was given, which skips the question
 * @throws {CliError} there is no terminal, or the answer is not yes
 */
export async function confirm(question: string, isAgreed: boolean): Promise<void> {
  if (isAgreed) return;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CliError(`${question}? Confirm with --yes: there is no terminal to ask on.`, EXIT_CODES.usage);
  }
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was done.', EXIT_CODES.failed);
  } finally {
    terminal.close();
  }
}
