import { defineCommand } from '../define-command.js';
import { JSON_OPTION, ROW_OPTIONS, savedFileOptions, YES } from '../options/output-options.js';
import { checkWholeNumbers, MAX_INTEGER } from '../options/whole-number.js';

const folder = { type: 'number', describe: 'Number of a folder; default: the top' } as const;
const id = {
  type: 'number',
  demandOption: true,
  describe: 'Number of the file, as `list` shows it',
} as const;

const check = (values: object): void =>
  checkWholeNumbers(values, { id: MAX_INTEGER, '--folder': MAX_INTEGER, '--parent': MAX_INTEGER });

const listCommand = defineCommand({
  name: 'list',
  describe: 'List the folders and files of the file repository',
  args: { folder, ...ROW_OPTIONS },
  check,
  handler: async (options) => (await import('./files-action.js')).listFiles(options),
});

const infoCommand = defineCommand({
  name: 'info',
  describe: 'Name, media type and length of a file of the file repository',
  args: { id, ...JSON_OPTION },
  positionals: ['id'],
  check,
  handler: async (options) => (await import('./files-action.js')).describeDocument(options),
});

const getCommand = defineCommand({
  name: 'get',
  describe: 'Save a file of the file repository',
  args: { id, ...savedFileOptions('file') },
  positionals: ['id'],
  check,
  handler: async (options) => (await import('./files-action.js')).getDocument(options),
});

const putCommand = defineCommand({
  name: 'put',
  describe: 'Upload a file to the file repository',
  args: {
    file: { type: 'string', demandOption: true, describe: 'The file; - for stdin' },
    folder,
    name: { type: 'string', describe: 'Name in REDCap; default: that of the file' },
    type: { type: 'string', describe: 'Media type; default: from the file extension' },
  },
  positionals: ['file'],
  check,
  handler: async (options) => (await import('./files-action.js')).putDocument(options),
});

const removeCommand = defineCommand({
  name: 'rm',
  describe: 'Delete a file of the file repository',
  args: { id, ...YES },
  positionals: ['id'],
  check,
  handler: async (options) => (await import('./files-action.js')).removeDocument(options),
});

const folderCommand = defineCommand({
  name: 'mkdir',
  describe: 'Create a folder in the file repository and print its number',
  args: {
    name: { type: 'string', demandOption: true, describe: 'Name of the folder' },
    parent: { type: 'number', describe: 'Number of the parent folder; default: the top' },
  },
  positionals: ['name'],
  check,
  handler: async (options) => (await import('./files-action.js')).makeFolder(options),
});

export const filesCommand = defineCommand({
  name: 'files',
  describe: 'List, describe, download, upload or delete files of the file repository',
  subcommands: [listCommand, infoCommand, getCommand, putCommand, removeCommand, folderCommand],
});
