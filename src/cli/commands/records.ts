import { RecordActions } from '../../services/record-actions.js';
import { defineCommand, subcommand } from '../command.js';
import { type OpenedClient, withClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import { needed, neededNumber, neededTexts, number, text } from '../options/option.js';
import { checkWholeNumbers, MAX_INSTANCE, MAX_INTEGER, YES } from '../options/shared-options.js';
import { counted, namesInWords } from '../printing/table.js';

const check = (values: object): void =>
  checkWholeNumbers(values, {
    '--arm': MAX_INTEGER,
    '--instance': MAX_INSTANCE,
    randomization: MAX_INTEGER,
  });

const arm = number('Only in this arm');

const deleteCommand = subcommand({
  usage: 'delete <ids..>',
  describe: 'Delete records, or a part of what they hold: all of them or none',
  args: {
    ids: neededTexts('Record ids'),
    arm,
    event: text('Only the data of this event'),
    instrument: text('Only the data of this instrument'),
    instance: number('Only this repeat instance'),
    'delete-logging': {
      type: 'boolean',
      describe: 'Remove them from the log too, where the project allows it',
    },
    ...YES,
  },
  examples: [
    ['$0 records delete "A, 1" B-2', 'Ids may hold commas and blanks'],
    ['$0 records delete A-1 --event visit_arm_1 --yes', 'In a script'],
  ],
  check,
  run: async (options, io) => {
    const { arm, event, instrument, instance, deleteLogging } = options;
    const ids = options.ids.map(String);
    const parts = Object.entries({ instrument, event, arm, instance })
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => `${name} ${part}`);
    const what = parts.length === 0 ? 'everything' : parts.join(', ');
    await confirm(
      `Delete ${what} of ${counted(ids.length, 'record')}: ${namesInWords(ids)}`,
      options.yes,
      io,
    );
    await withClient({ ...options, needsProject: true }, io, async (opened) => {
      const part = { arm, event, instrument, repeatInstance: instance, deleteLogging };
      io.stdout.write(`${await actionsOn(opened).delete(ids, part)}\n`);
    });
  },
});

const renameCommand = subcommand({
  usage: 'rename <id> <new-id>',
  describe: 'Give a record another id',
  args: {
    id: needed('The record id as it is'),
    'new-id': needed('The new id'),
    arm,
    ...YES,
  },
  check,
  run: async ({ arm, ...options }, io) => {
    const [id, newId] = [String(options.id), String(options.newId)];
    const names = `${namesInWords([id])} to ${namesInWords([newId])}`;
    await confirm(`Rename the record ${names}${arm === undefined ? '' : ` in arm ${arm}`}`, options.yes, io);
    await withClient({ ...options, needsProject: true }, io, async (opened) => {
      io.stdout.write(`${await actionsOn(opened).rename(id, newId, { arm })}\n`);
    });
  },
});

const randomizeCommand = subcommand({
  usage: 'randomize <id> <randomization>',
  describe: 'Assign a record to a group of a trial, for good',
  args: {
    id: needed('The record id'),
    randomization: neededNumber("The number of the randomization, as REDCap's page shows it"),
    ...YES,
  },
  check,
  run: async ({ randomization, ...options }, io) => {
    const id = String(options.id);
    await confirm(`Randomize the record ${namesInWords([id])}, which cannot be undone`, options.yes, io);
    await withClient({ ...options, needsProject: true }, io, async ({ client }) => {
      io.stdout.write(`${(await client.records.randomize(id, randomization)).target}\n`);
    });
  },
});

const nextIdCommand = subcommand({
  usage: 'next-id',
  describe: 'Print the id that REDCap would give the next record',
  run: (options, io) =>
    withClient(options, io, async ({ client }) => {
      io.stdout.write(`${await client.records.nextId()}\n`);
    }),
});

export const command = defineCommand({
  subcommands: [deleteCommand, renameCommand, randomizeCommand, nextIdCommand],
});

function actionsOn({ client, settings }: OpenedClient): RecordActions {
  return new RecordActions(client, settings.project.imports);
}
