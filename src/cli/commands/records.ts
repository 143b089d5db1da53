import { RecordActions } from '../../services/record-actions.js';
import { defineCommand, subcommand } from '../command.js';
import type { OpenedClient } from '../open-client.js';
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
  examples: {
    '$0 records delete "A, 1" B-2': 'Ids may hold commas and blanks',
    '$0 records delete A-1 --event visit_arm_1 --yes': 'In a script',
  },
  check,
  confirms: ({ ids, instrument, event, arm, instance }) => {
    const parts = Object.entries({ instrument, event, arm, instance })
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => `${name} ${part}`);
    const what = parts.length === 0 ? 'everything' : parts.join(', ');
    return `Delete ${what} of ${counted(ids.length, 'record')}: ${namesInWords(ids.map(String))}`;
  },
  writes: async (opened, { ids, arm, event, instrument, instance, deleteLogging }) => {
    const part = { arm, event, instrument, instance, deleteLogging };
    return `${await actionsOn(opened).delete(ids.map(String), part)}`;
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
  confirms: ({ id, newId, arm }) => {
    const names = `${namesInWords([String(id)])} to ${namesInWords([String(newId)])}`;
    return `Rename the record ${names}${arm === undefined ? '' : ` in arm ${arm}`}`;
  },
  writes: async (opened, { id, newId, arm }) =>
    `${await actionsOn(opened).rename(String(id), String(newId), { arm })}`,
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
  confirms: ({ id }) => `Randomize the record ${namesInWords([String(id)])}, which cannot be undone`,
  writes: async ({ client }, { id, randomization }) =>
    (await client.records.randomize(String(id), randomization)).target,
});

const nextIdCommand = subcommand({
  usage: 'next-id',
  describe: 'Print the id that REDCap would give the next record',
  reads: ({ client }) => client.records.nextId(),
});

export const command = defineCommand({
  subcommands: [deleteCommand, renameCommand, randomizeCommand, nextIdCommand],
});

function actionsOn({ client, settings }: OpenedClient): RecordActions {
  return new RecordActions(client, settings.project.imports);
}
