import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { refuseBlanks } from '../options/list-option.js';
import { copyArgs, copyTarget, intervalOf, refusePolicyAlone } from '../options/copy-options.js';

const TARGETS = 'The copy: sqlite:FILE, csv:FOLDER, parquet:FOLDER or postgres://…';

const args = {
  to: { type: 'string', demandOption: true, describe: TARGETS },
  every: {
    type: 'string',
    describe:
      'Run until interrupted, and look again after 30s, 15m or 2h; auto is a minute, and up to 15 when nothing changes',
  },
  verify: {
    type: 'boolean',
    default: false,
    describe: 'Compare the copy with a fresh export afterwards, cell by cell',
  },
  instruments: {
    type: 'string',
    array: true,
    describe: 'Only these instruments, which the copy remembers; all if it is left out the first time',
  },
  'on-removed': {
    choices: ['keep', 'drop'],
    default: 'keep',
    describe: 'What becomes of a column or table that the project no longer has: a dated name, or nothing',
  },
  ...copyArgs,
  json: { type: 'boolean', default: false, describe: 'Print a JSON line for each look' },
} as const;

export type SyncArguments = ArgumentsOf<typeof args>;

const statusArgs = {
  to: { type: 'string', demandOption: true, describe: TARGETS },
  json: { type: 'boolean', default: false, describe: 'Print JSON' },
} as const;

export type SyncStatusArguments = ArgumentsOf<typeof statusArgs>;

const statusCommand = defineCommand({
  name: 'status',
  describe: 'Show when a copy was brought up to date, and what is pending; calls no REDCap',
  args: statusArgs,
  readsSettings: false,
  check: ({ to }) => void copyTarget(to),
  handler: async (options) => (await import('./sync-action.js')).printSyncStatus(options),
});

export const syncCommand = defineCommand({
  name: 'sync',
  describe: 'Keep a copy of the project in a database or in files, up to date and checked',
  args,
  subcommands: [statusCommand],
  examples: [
    ['$0 sync --to sqlite:study.db', 'Everything the first time, then only what changed'],
    ['$0 sync --to parquet:study', 'A folder with a file for each instrument'],
    ['$0 sync --to sqlite:study.db --instruments demographics visit', 'A part of the project'],
    ['$0 sync --to sqlite:stats.db --as key:stats', 'What an API key sees under its policy'],
    ['$0 sync --to sqlite:study.db --every 15m', 'The same every quarter of an hour'],
    ['$0 sync --to sqlite:study.db --every auto --budget 500', 'Often, with few entries in the log'],
    ['$0 sync --to sqlite:study.db --verify', 'Update, then compare every cell with REDCap'],
    ['$0 sync status --to sqlite:study.db', 'How current the copy is'],
  ],
  epilogue:
    'Readers always see complete files. Exit codes: 0 up to date, 1 failed or different, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
  check: ({ to, every, budget, verify, instruments, ...view }) => {
    copyTarget(to);
    refusePolicyAlone(view);
    refuseBlanks({ instruments }, undefined);
    if (every !== undefined) intervalOf(every, budget);
    else if (budget !== undefined) throw new Error('--budget needs --every');
    if (every !== undefined && verify) throw new Error('--verify and --every cannot be combined');
  },
  handler: async (options) => (await import('./sync-action.js')).runSync(options),
});
