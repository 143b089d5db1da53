import type { Argv } from 'yargs';
import type { GlobalArguments } from './global-arguments.js';

export interface YesArguments extends GlobalArguments {
  yes: boolean;
}

/** Adds `--yes` to a command that asks before it changes something for good. */
export function withYes<Arguments>(yargs: Argv<Arguments>): Argv<Arguments & { yes: boolean }> {
  return yargs.option('yes', {
    alias: 'y',
    type: 'boolean',
    default: false,
    describe: 'Do it without asking; needed where there is no terminal',
  });
}
