import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { YES } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INSTANCE, MAX_INTEGER } from '../options/whole-number.js';

const check = (values: object): void =>
  checkWholeNumbers(values, {
    '--arm': MAX_INTEGER,
    '--instance': MAX_INSTANCE,
    randomization: MAX_INTEGER,
  });

const arm = { type: 'number', describe: 'Only in this arm' } as const;

const deleteArgs = {
  ids: { type: 'string', array: true, demandOption: true, describe: 'Record ids' },
  arm,
  event: { type: 'string', describe: 'Only the data of this event' },
  instrument: { type: 'string', describe: 'Only the data of this instrument' },
  instance: { type: 'number', describe: 'Only this repeat instance' },
  'delete-logging': {
    type: 'boolean',
    describe: 'Remove them from the log too, where the project allows it',
  },
  ...YES,
} as const;

const deleteCommand = defineCommand({
  name: 'delete',
  describe: 'Delete records, or a part of what they hold: all of them or none',
  args: deleteArgs,
  positionals: ['ids'],
  examples: [
    ['$0 records delete "A, 1" B-2', 'Ids may hold commas and blanks'],
    ['$0 records delete A-1 --event visit_arm_1 --yes', 'In a script'],
  ],
  check,
  handler: async (options) => (await import('./records-action.js')).deleteRecords(options),
});

const renameArgs = {
  id: { type: 'string', demandOption: true, describe: 'The record id as it is' },
  'new-id': { type: 'string', demandOption: true, describe: 'The new id' },
  arm,
  ...YES,
} as const;

const renameCommand = defineCommand({
  name: 'rename',
  describe: 'Give a record another id',
  args: renameArgs,
  positionals: ['id', 'new-id'],
  check,
  handler: async (options) => (await import('./records-action.js')).renameRecord(options),
});

const randomizeArgs = {
  id: { type: 'string', demandOption: true, describe: 'The record id' },
  randomization: {
    type: 'number',
    demandOption: true,
    describe: "The number of the randomization, as REDCap's page shows it",
  },
  ...YES,
} as const;

const randomizeCommand = defineCommand({
  name: 'randomize',
  describe: 'Assign a record to a group of a trial, for good',
  args: randomizeArgs,
  positionals: ['id', 'randomization'],
  check,
  handler: async (options) => (await import('./records-action.js')).randomizeRecord(options),
});

const nextIdCommand = defineCommand({
  name: 'next-id',
  describe: 'Print the id that REDCap would give the next record',
  handler: async (options) => (await import('./records-action.js')).printNextId(options),
});

export type DeleteArguments = ArgumentsOf<typeof deleteArgs>;
export type RenameArguments = ArgumentsOf<typeof renameArgs>;
export type RandomizeArguments = ArgumentsOf<typeof randomizeArgs>;

export const recordsCommand = defineCommand({
  name: 'records',
  describe: 'Delete, rename or randomize single records',
  subcommands: [deleteCommand, renameCommand, randomizeCommand, nextIdCommand],
});
