import { defineCommand } from '../define-command.js';
import { savedFileOptions } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INSTANCE } from '../options/whole-number.js';

export const pdfCommand = defineCommand({
  name: 'pdf',
  describe: 'Save forms as PDF: blank, or with the data of a record',
  args: {
    record: { type: 'string', describe: 'The record; blank forms without' },
    instrument: { type: 'string', describe: 'Only this instrument' },
    event: { type: 'string', describe: 'Only this event' },
    instance: { type: 'number', describe: 'Only this repeat instance' },
    compact: { type: 'boolean', default: false, describe: 'Leave out fields without a value' },
    all: { type: 'boolean', default: false, describe: 'All records, in one document' },
    ...savedFileOptions('document'),
  },
  positionals: ['record'],
  examples: [['$0 pdf 1042 --instrument demographics -o 1042.pdf', 'One form of one record']],
  check: ({ record, all, instrument, event, instance }) => {
    if (all && [record, instrument, event, instance].some((given) => given !== undefined))
      throw new Error('--all cannot be combined with a record, --instrument, --event or --instance');
    checkWholeNumbers({ instance }, { '--instance': MAX_INSTANCE });
  },
  handler: async ({ record, instrument, event, instance, compact, all, ...options }) => {
    const { saveFile } = await import('../files/save-file.js');
    const selection = {
      record: record === undefined ? undefined : String(record), // yargs gives a numeric id as a number
      instrument,
      event,
      repeatInstance: instance,
      compact,
    };
    await saveFile(options, 'forms.pdf', (client, signal) =>
      all ? client.pdf.downloadAll({ compact, signal }) : client.pdf.download(selection, { signal }),
    );
  },
});
