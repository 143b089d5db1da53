import type { CommandModule } from 'yargs';
import type { PdfArguments } from '../actions/run-pdf.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { savedFileOptions } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INSTANCE } from '../options/whole-number.js';

/** `crf pdf`. */
export const pdfCommand: CommandModule<GlobalArguments, PdfArguments> = {
  command: 'pdf [record]',
  describe: 'Save forms as PDF: blank, or with the data of a record',
  builder: (yargs) =>
    yargs
      .positional('record', { type: 'string', describe: 'The record; blank forms without' })
      .option('instrument', { type: 'string', describe: 'Only this instrument' })
      .option('event', { type: 'string', describe: 'Only this event' })
      .option('instance', { type: 'number', describe: 'Only this repeat instance' })
      .option('compact', { type: 'boolean', default: false, describe: 'Leave out fields without a value' })
      .option('all', { type: 'boolean', default: false, describe: 'All records, in one document' })
      .options(savedFileOptions('document'))
      .example('$0 pdf 1042 --instrument demographics -o 1042.pdf', 'One form of one record')
      .check(({ record, all, instrument, event, instance }) => {
        if (all && [record, instrument, event, instance].some((given) => given !== undefined))
          throw new Error('--all cannot be combined with a record, --instrument, --event or --instance');
        return checkWholeNumbers({ instance }, { '--instance': MAX_INSTANCE });
      }),
  handler: async (options) => (await import('../actions/run-pdf.js')).savePdf(options),
};
