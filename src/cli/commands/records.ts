import { RecordActions } from '../../services/record-actions.js';
import { defineCommand, subcommand } from '../command.js';
import type { OpenedClient } from '../open-client.js';
import { flag, needed, neededNumber, neededTexts, number, text } from '../options/option.js';
import { checkWholeNumbers, JSON_OPTION, MAX_INSTANCE, MAX_INTEGER, YES } from '../options/shared-options.js';
import { counted, namesInWords } from '../printing/table.js';

const check = (values: object): void =>
  checkWholeNumbers(values, {
    '--arm': MAX_INTEGER,
    '--instance': MAX_INSTANCE,
    'randomization-id': MAX_INTEGER,
  });

const arm = number('Only in this arm');

const deleteCommand = subcommand({
  usage: 'delete <records..>',
  describe: 'Delete records, or a part of what they hold: all of them or none',
  args: {
    records: neededTexts('Record ids'),
    arm,
    event: text('Only the data of this event'),
    instrument: text('Only the data of this instrument'),
    instance: number('Only this repeat instance'),
    'delete-logging': {
      type: 'boolean',
      describe: 'Remove them from the log too, where the project allows it',
    },
    ...YES,
    ...JSON_OPTION,
  },
  examples: {
    '$0 records delete "A, 1" B-2': 'Ids may hold commas and blanks',
    '$0 records delete A-1 --event visit_arm_1 --yes': 'In a script',
  },
  check,
  confirms: ({ records, instrument, event, arm, instance }) => {
    const parts = Object.entries({ instrument, event, arm, instance })
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => `${name} ${part}`);
    const what = parts.length === 0 ? 'everything' : parts.join(', ');
    return `Delete ${what} of ${counted(records.length, 'record')}: ${namesInWords(records.map(String))}`;
  },
  writes: async (opened, { records, arm, event, instrument, instance, deleteLogging }) => {
    const part = { arm, event, instrument, instance, deleteLogging };
    const count = await actionsOn(opened).delete(records.map(String), part);
    return { data: { count }, text: `${count}` };
  },
});

const renameCommand = subcommand({
  usage: 'rename <record> <new-record>',
  describe: 'Give a record another id',
  args: {
    record: needed('The record id as it is'),
    'new-record': needed('The new id'),
    arm,
    ...YES,
    ...JSON_OPTION,
  },
  check,
  confirms: ({ record, newRecord, arm }) => {
    const names = `${namesInWords([String(record)])} to ${namesInWords([String(newRecord)])}`;
    return `Rename the record ${names}${arm === undefined ? '' : ` in arm ${arm}`}`;
  },
  writes: async (opened, { record, newRecord, arm }) => {
    const renamed = await actionsOn(opened).rename(String(record), String(newRecord), { arm });
    return { data: { record: renamed }, text: renamed };
  },
});

const randomizeCommand = subcommand({
  usage: 'randomize <record> <randomization-id>',
  describe: 'Assign a record to a group of a trial, for good',
  args: {
    record: needed('The record id'),
    'randomization-id': neededNumber("The number of the randomization, as REDCap's page shows it"),
    'return-alt': flag('Print the randomization number too'),
    ...YES,
    ...JSON_OPTION,
  },
  check,
  confirms: ({ record }) => `Randomize the record ${namesInWords([String(record)])}, which cannot be undone`,
  writes: async ({ client }, { record, randomizationId, returnAlt }) => {
    const data = await client.records.randomize(String(record), randomizationId, { returnAlt });
    return { data, text: returnAlt ? `${data.target}\n${data.alternativeTarget}` : data.target };
  },
});

const nextIdCommand = subcommand({
  usage: 'next-id',
  describe: 'Print the id that REDCap would give the next record',
  args: JSON_OPTION,
  reads: async ({ client }) => {
    const record = await client.records.nextId();
    return { data: { record }, text: record };
  },
});

export const command = defineCommand({
  subcommands: [deleteCommand, renameCommand, randomizeCommand, nextIdCommand],
});

function actionsOn({ client, settings }: OpenedClient): RecordActions {
  return new RecordActions(client, settings.project.imports);
}
