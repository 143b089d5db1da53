import { defineCommand, type ArgumentsOf } from '../define-command.js';
import { savedFileOptions, YES } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INSTANCE } from '../options/whole-number.js';

const place = {
  record: { type: 'string', demandOption: true, describe: 'The record' },
  field: { type: 'string', demandOption: true, describe: 'The file field' },
  event: { type: 'string', describe: 'Event; required in longitudinal projects' },
  instance: { type: 'number', describe: 'Repeat instance; default: 1' },
} as const;

/** The record and field of a file. */
export type FilePlaceArguments = ArgumentsOf<typeof place>;

const check = (values: FilePlaceArguments): void => checkWholeNumbers(values, { '--instance': MAX_INSTANCE });

/** Saves a file under its own name in the current folder, or to the path given with `-o`. */
const getCommand = defineCommand({
  name: 'get',
  describe: 'Save the file of a record',
  args: { ...place, ...savedFileOptions('file') },
  positionals: ['record', 'field'],
  examples: [['$0 file get 1042 consent_form', 'Save a consent form under its own name']],
  check,
  handler: async (options) => (await import('./file-action.js')).getFile(options),
});

const putCommand = defineCommand({
  name: 'put',
  describe: 'Upload a file to a record, in place of the one that may be there',
  args: {
    ...place,
    file: { type: 'string', demandOption: true, describe: 'The file; - for stdin' },
    name: { type: 'string', describe: 'Name in REDCap; default: that of the file' },
    type: { type: 'string', describe: 'Media type; default: from the file extension' },
  },
  positionals: ['record', 'field', 'file'],
  examples: [['$0 file put 1042 consent_form scan.pdf', 'Upload a consent form']],
  check,
  handler: async (options) => (await import('./file-action.js')).putFile(options),
});

const removeCommand = defineCommand({
  name: 'rm',
  describe: 'Delete the file of a record',
  args: { ...place, ...YES },
  positionals: ['record', 'field'],
  check,
  handler: async (options) => (await import('./file-action.js')).removeFile(options),
});

export const fileCommand = defineCommand({
  name: 'file',
  describe: 'Download, upload or delete the file of a record',
  subcommands: [getCommand, putCommand, removeCommand],
});
