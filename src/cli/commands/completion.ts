import { defineCommand } from '../define-command.js';

export const completionCommand = defineCommand({
  name: 'completion',
  describe: 'Print a completion script for a shell',
  args: { shell: { choices: ['bash', 'zsh', 'fish'], demandOption: true, describe: 'Name of the shell' } },
  positionals: ['shell'],
  examples: [
    ['source <($0 completion bash)', 'In ~/.bashrc; for zsh the same in ~/.zshrc'],
    ['$0 completion fish > ~/.config/fish/completions/crf.fish', 'For fish'],
  ],
  readsSettings: false,
  handler: async ({ shell }) => {
    const { COMPLETION_SCRIPTS } = await import('../completion-scripts.js');
    process.stdout.write(COMPLETION_SCRIPTS[shell]);
  },
});
