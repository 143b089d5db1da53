import type { CommandModule } from 'yargs';
import { withYes } from '../options/confirm.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import type { DeleteArguments, RenameArguments, RandomizeArguments } from '../actions/run-records.js';
import { checkWholeNumbers, MAX_INSTANCE, MAX_INTEGER } from '../options/whole-number.js';

function checkNumbers(values: Readonly<Record<string, unknown>>): true {
  return checkWholeNumbers(values, {
    '--arm': MAX_INTEGER,
    '--instance': MAX_INSTANCE,
    randomization: MAX_INTEGER,
  });
}

/** `crf records delete`. */
const deleteCommand: CommandModule<GlobalArguments, DeleteArguments> = {
  command: 'delete <ids..>',
  describe: 'Delete records, or a part of what they hold: all of them or none',
  builder: (yargs) =>
    withYes(
      yargs
        .positional('ids', { type: 'string', array: true, demandOption: true, describe: 'Record ids' })
        .option('arm', { type: 'number', describe: 'Only in this arm' })
        .option('event', { type: 'string', describe: 'Only the data of this event' })
        .option('instrument', { type: 'string', describe: 'Only the data of this instrument' })
        .option('instance', { type: 'number', describe: 'Only this repeat instance' })
        .option('delete-logging', {
          type: 'boolean',
          describe: 'Remove them from the log too, where the project allows it',
        }),
    )
      .check(checkNumbers)
      .example('$0 records delete "A, 1" B-2', 'Ids may hold commas and blanks')
      .example('$0 records delete A-1 --event visit_arm_1 --yes', 'In a script'),
  handler: async (options) => {
    const { deleteRecords } = await import('../actions/run-records.js');
    await deleteRecords(options);
  },
};

/** `crf records rename`. */
const renameCommand: CommandModule<GlobalArguments, RenameArguments> = {
  command: 'rename <id> <new-id>',
  describe: 'Give a record another id',
  builder: (yargs) =>
    withYes(
      yargs
        .positional('id', { type: 'string', demandOption: true, describe: 'The record id as it is' })
        .positional('new-id', { type: 'string', demandOption: true, describe: 'The new id' })
        .option('arm', { type: 'number', describe: 'Only in this arm' }),
    ).check(checkNumbers) as never, // yargs's types do not convert kebab-case arguments to camelCase
  handler: async (options) => {
    const { renameRecord } = await import('../actions/run-records.js');
    await renameRecord(options);
  },
};

/** `crf records randomize`. */
const randomizeCommand: CommandModule<GlobalArguments, RandomizeArguments> = {
  command: 'randomize <id> <randomization>',
  describe: 'Assign a record to a group of a trial, for good',
  builder: (yargs) =>
    withYes(
      yargs
        .positional('id', { type: 'string', demandOption: true, describe: 'The record id' })
        .positional('randomization', {
          type: 'number',
          demandOption: true,
          describe: "The number of the randomization, as REDCap's page shows it",
        }),
    ).check(checkNumbers),
  handler: async (options) => {
    const { randomizeRecord } = await import('../actions/run-records.js');
    await randomizeRecord(options);
  },
};

/** `crf records next-id`. */
const nextIdCommand: CommandModule<GlobalArguments, GlobalArguments> = {
  command: 'next-id',
  describe: 'Print the id that REDCap would give the next record',
  handler: async (options) => {
    const { printNextId } = await import('../actions/run-records.js');
    await printNextId(options);
  },
};

/** `crf records`. */
export const recordsCommand: CommandModule = {
  command: 'records',
  describe: 'Delete, rename or randomize single records',
  builder: (yargs) =>
    yargs
      .command([deleteCommand, renameCommand, randomizeCommand, nextIdCommand] as never)
      .demandCommand(1, 'A command is missing: delete, rename, randomize or next-id.'),
  handler: () => undefined,
};
