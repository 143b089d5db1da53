import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { copyArgs, copyTarget, intervalOf, refusePolicyAlone } from '../options/copy-options.js';

const args = {
  copy: {
    type: 'string',
    demandOption: true,
    describe: 'The copy that changes are found with, such as sqlite:FILE',
  },
  since: { type: 'string', describe: 'Only what follows this cursor, which every line has' },
  follow: { type: 'boolean', default: false, describe: 'Run until interrupted, and print what is found' },
  every: {
    type: 'string',
    default: 'auto',
    describe:
      'With --follow: how often to look, 30s, 15m or 2h; auto is a minute, and up to 15 when nothing changes',
  },
  ...copyArgs,
} as const;

export type ChangesArguments = ArgumentsOf<typeof args>;

export const changesCommand = defineCommand({
  name: 'changes',
  describe: 'Print what changed as NDJSON: created, changed, renamed, deleted, regrouped records',
  args,
  examples: [
    [
      '$0 changes --copy sqlite:study.db',
      'All changes that the copy knows, the first being what it began with',
    ],
    ['$0 changes --copy sqlite:study.db --since "$CURSOR" --follow', 'Go on from there, and wait for more'],
  ],
  epilogue:
    'The copy is brought up to date first, as by crf sync. A line has ids of records and names of fields, and no values.',
  check: ({ copy, every, budget, follow, ...view }) => {
    copyTarget(copy);
    refusePolicyAlone(view);
    intervalOf(every, budget);
    if (budget !== undefined && !follow) throw new Error('--budget needs --follow');
  },
  handler: async (options) => (await import('./sync-action.js')).printChanges(options),
});
