import { defineCommand } from '../command.js';
import { saveFile } from '../files/save-file.js';
import { flag, number, text } from '../options/option.js';
import { checkWholeNumbers, MAX_INSTANCE, savedFileOptions } from '../options/shared-options.js';

export const command = defineCommand({
  args: {
    record: text('The record; blank forms without'),
    instrument: text('Only this instrument'),
    event: text('Only this event'),
    instance: number('Only this repeat instance'),
    compact: flag('Leave out fields without a value'),
    all: flag('All records, in one document'),
    ...savedFileOptions('document'),
  },
  examples: { '$0 pdf 1042 --instrument demographics -o 1042.pdf': 'One form of one record' },
  check: ({ record, all, instrument, event, instance }) => {
    if (all && [record, instrument, event, instance].some((given) => given !== undefined))
      throw new Error('--all cannot be combined with a record, --instrument, --event or --instance');
    checkWholeNumbers({ instance }, { '--instance': MAX_INSTANCE });
  },
  run: ({ record, instrument, event, instance, compact, all, ...options }, io) => {
    const selection = {
      record: record === undefined ? undefined : String(record), // yargs gives a numeric id as a number
      instrument,
      event,
      instance,
      compact,
    };
    return saveFile(options, 'forms.pdf', io, (client, signal) =>
      all ? client.pdf.getAll({ compact, signal }) : client.pdf.get(selection, { signal }),
    );
  },
});
