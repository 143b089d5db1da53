import type { Argv, CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';
import { withYes } from '../options/confirm.js';
import type { FileGetArguments, FilePutArguments, FileRemoveArguments } from '../actions/run-file.js';
import { savedFileOptions } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INSTANCE } from '../options/whole-number.js';

function placed<Given>(yargs: Argv<Given>) {
  return yargs
    .positional('record', { type: 'string', demandOption: true, describe: 'The record' })
    .positional('field', { type: 'string', demandOption: true, describe: 'The file field' })
    .option('event', { type: 'string', describe: 'Event; required in longitudinal projects' })
    .option('instance', { type: 'number', describe: 'Repeat instance; default: 1' })
    .check((values) => checkWholeNumbers(values, { '--instance': MAX_INSTANCE }));
}

/** `crf file get`: saves a file under its own name in the current folder, or to the path given with `-o`. */
const getCommand: CommandModule<GlobalArguments, FileGetArguments> = {
  command: 'get <record> <field>',
  describe: 'Save the file of a record',
  builder: (yargs) =>
    placed(yargs)
      .options(savedFileOptions('file'))
      .example('$0 file get 1042 consent_form', 'Save a consent form under its own name'),
  handler: async (options) => (await import('../actions/run-file.js')).getFile(options),
};

/** `crf file put`. */
const putCommand: CommandModule<GlobalArguments, FilePutArguments> = {
  command: 'put <record> <field> <file>',
  describe: 'Upload a file to a record, in place of the one that may be there',
  builder: (yargs) =>
    placed(yargs)
      .positional('file', { type: 'string', demandOption: true, describe: 'The file; - for stdin' })
      .option('name', { type: 'string', describe: 'Name in REDCap; default: that of the file' })
      .option('type', { type: 'string', describe: 'Media type; default: from the file extension' })
      .example('$0 file put 1042 consent_form scan.pdf', 'Upload a consent form'),
  handler: async (options) => (await import('../actions/run-file.js')).putFile(options),
};

/** `crf file rm`. */
const removeCommand: CommandModule<GlobalArguments, FileRemoveArguments> = {
  command: 'rm <record> <field>',
  describe: 'Delete the file of a record',
  builder: (yargs) => withYes(placed(yargs)),
  handler: async (options) => (await import('../actions/run-file.js')).removeFile(options),
};

/** `crf file`. */
export const fileCommand: CommandModule = {
  command: 'file',
  describe: 'Download, upload or delete the file of a record',
  builder: (yargs) =>
    yargs
      .command([getCommand, putCommand, removeCommand] as never)
      .demandCommand(1, 'A command is missing: get, put or rm.'),
  handler: () => undefined,
};
