import type { CommandModule } from 'yargs';
import type { GlobalArguments } from '../options/global-arguments.js';
import { withYes } from '../options/confirm.js';
import type { FormArguments } from '../printing/print-rows.js';
import type {
  DocumentGetArguments,
  DocumentInfoArguments,
  DocumentPutArguments,
  DocumentRemoveArguments,
  FolderArguments,
  NewFolderArguments,
} from '../actions/run-files.js';
import { savedFileOptions } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

const FOLDER = { type: 'number', describe: 'Number of a folder; default: the top' } as const;
const ID = {
  type: 'number',
  demandOption: true,
  describe: 'Number of the file, as `list` shows it',
} as const;

function checkNumbers(values: Readonly<Record<string, unknown>>): true {
  return checkWholeNumbers(values, { id: MAX_INTEGER, '--folder': MAX_INTEGER, '--parent': MAX_INTEGER });
}

/** `crf files list`. */
const listCommand: CommandModule<GlobalArguments, FolderArguments & FormArguments> = {
  command: 'list',
  describe: 'List the folders and files of the file repository',
  builder: (yargs) =>
    yargs
      .option('folder', FOLDER)
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .option('csv', { type: 'boolean', default: false, describe: 'Print CSV' })
      .check(checkNumbers),
  handler: async (options) => (await import('../actions/run-files.js')).listFiles(options),
};

/** `crf files info`. */
const infoCommand: CommandModule<GlobalArguments, DocumentInfoArguments> = {
  command: 'info <id>',
  describe: 'Name, media type and length of a file of the file repository',
  builder: (yargs) =>
    yargs
      .positional('id', ID)
      .option('json', { type: 'boolean', default: false, describe: 'Print one JSON document' })
      .check(checkNumbers),
  handler: async (options) => (await import('../actions/run-files.js')).describeDocument(options),
};

/** `crf files get`. */
const getCommand: CommandModule<GlobalArguments, DocumentGetArguments> = {
  command: 'get <id>',
  describe: 'Save a file of the file repository',
  builder: (yargs) => yargs.positional('id', ID).options(savedFileOptions('file')).check(checkNumbers),
  handler: async (options) => (await import('../actions/run-files.js')).getDocument(options),
};

/** `crf files put`. */
const putCommand: CommandModule<GlobalArguments, DocumentPutArguments> = {
  command: 'put <file>',
  describe: 'Upload a file to the file repository',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'The file; - for stdin' })
      .option('folder', FOLDER)
      .option('name', { type: 'string', describe: 'Name in REDCap; default: that of the file' })
      .option('type', { type: 'string', describe: 'Media type; default: from the file extension' })
      .check(checkNumbers),
  handler: async (options) => (await import('../actions/run-files.js')).putDocument(options),
};

/** `crf files rm`. */
const removeCommand: CommandModule<GlobalArguments, DocumentRemoveArguments> = {
  command: 'rm <id>',
  describe: 'Delete a file of the file repository',
  builder: (yargs) => withYes(yargs.positional('id', ID)).check(checkNumbers),
  handler: async (options) => (await import('../actions/run-files.js')).removeDocument(options),
};

/** `crf files mkdir`. */
const folderCommand: CommandModule<GlobalArguments, NewFolderArguments> = {
  command: 'mkdir <name>',
  describe: 'Create a folder in the file repository and print its number',
  builder: (yargs) =>
    yargs
      .positional('name', { type: 'string', demandOption: true, describe: 'Name of the folder' })
      .option('parent', { type: 'number', describe: 'Number of the parent folder; default: the top' })
      .check(checkNumbers),
  handler: async (options) => (await import('../actions/run-files.js')).makeFolder(options),
};

/** `crf files`. */
export const filesCommand: CommandModule = {
  command: 'files',
  describe: 'List, describe, download, upload or delete files of the file repository',
  builder: (yargs) =>
    yargs
      .command([listCommand, infoCommand, getCommand, putCommand, removeCommand, folderCommand] as never)
      .demandCommand(1, 'A command is missing: list, info, get, put, rm or mkdir.'),
  handler: () => undefined,
};
