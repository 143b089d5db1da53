import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

interface CompletionArguments extends GlobalArguments {
  shell: (typeof SHELLS)[number];
}

/** `crf completion SHELL`: prints a script to stdout. */
export const completionCommand: CommandModule<GlobalArguments, CompletionArguments> = {
  command: 'completion <shell>',
  describe: 'Print a completion script for a shell',
  builder: (yargs) =>
    yargs
      .positional('shell', { choices: SHELLS, demandOption: true, describe: 'Name of the shell' })
      .example('source <($0 completion bash)', 'In ~/.bashrc; for zsh the same in ~/.zshrc')
      .example('$0 completion fish > ~/.config/fish/completions/crf.fish', 'For fish'),
  handler: async ({ shell }) => {
    const { COMPLETION_SCRIPTS } = await import('../completion-scripts.js');
    process.stdout.write(COMPLETION_SCRIPTS[shell]);
  },
};
