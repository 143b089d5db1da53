import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { JSON_ON_STDOUT, YES } from '../options/output-options.js';

const args = {
  file: { type: 'string', demandOption: true, describe: 'The undo file that crf import has written' },
  'dry-run': { type: 'boolean', default: false, describe: 'Show what would be undone; store nothing' },
  ...YES,
  ...JSON_ON_STDOUT,
} as const;

export type UndoArguments = ArgumentsOf<typeof args>;

export const undoCommand = defineCommand({
  name: 'undo',
  describe: 'Undo an import: restore the values that it changed, and delete the records that it created',
  args,
  positionals: ['file'],
  examples: [
    ['$0 undo visits.csv.20261125-141502-5c0e81f2.undo', 'Show what changes, then undo it'],
    ['$0 undo visits.csv.20261125-141502-5c0e81f2.undo --dry-run', 'Only show it'],
  ],
  epilogue:
    'A value that somebody has changed since the import stays as it is, and so does a new record that has other values by now: both are listed. An undo that was interrupted is repeated. Exit codes: 0 undone, 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 5 undone, but not all, 130 interrupted.',
  handler: async (options) => (await import('./undo-action.js')).runUndo(options),
});
