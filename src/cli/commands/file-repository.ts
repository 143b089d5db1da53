import type { RepositoryEntry } from '../../gateways/redcap/crf-client.js';
import { addToRepository, FileService } from '../../services/files/file-service.js';
import { defineCommand, subcommand } from '../command.js';
import { readUpload } from '../files/read-files.js';
import { saveFile } from '../files/save-file.js';
import { needed, neededNumber, number } from '../options/option.js';
import {
  checkWholeNumbers,
  JSON_OPTION,
  MAX_INTEGER,
  ROW_OPTIONS,
  savedFileOptions,
  uploadOptions,
  YES,
} from '../options/shared-options.js';
import { columnsOf, printRows } from '../printing/table.js';

const folder = number('Number of a folder; default: the top');
const id = neededNumber('Number of the file, as `list` shows it');

const check = (values: object): void =>
  checkWholeNumbers(
    values,
    Object.fromEntries(
      ['id', '--folder', '--parent', '--dag-id', '--role-id'].map((name) => [name, MAX_INTEGER]),
    ),
  );

const ENTRIES = columnsOf<RepositoryEntry>('kind', 'id', 'name');

const listCommand = subcommand({
  usage: 'list',
  describe: 'List the folders and files of the file repository',
  args: { folder, ...ROW_OPTIONS },
  check,
  reads: async ({ client }, options, io) =>
    printRows(await client.fileRepository.list(options.folder), ENTRIES, options, io),
});

const infoCommand = subcommand({
  usage: 'info <id>',
  describe: 'Name, media type and length of a file of the file repository',
  args: { id, ...JSON_OPTION },
  check,
  reads: async ({ client }, { id }) => {
    const data = await new FileService(client).repositoryFileInfo(id);
    const { name, contentType, length } = data;
    return { data, text: `Name:       ${name}\nMedia type: ${contentType}\nLength:     ${length} bytes` };
  },
});

const getCommand = subcommand({
  usage: 'get <id>',
  describe: 'Save a file of the file repository',
  args: { id, ...savedFileOptions('file') },
  check,
  run: (options, io) =>
    saveFile(options, `file-${options.id}`, io, (client, signal) =>
      client.fileRepository.get(options.id, { signal }),
    ),
});

const { file, ...named } = uploadOptions;

const putCommand = subcommand({
  usage: 'put <file>',
  describe: 'Upload a file to the file repository and print its number',
  args: { file, folder, ...named, ...JSON_OPTION },
  check,
  writes: async ({ client }, { folder, quiet, json, ...options }, io) => {
    const upload = await readUpload(options, io);
    const stored = await addToRepository(client, upload, { signal: io.interrupt(), folder });
    if (!quiet && !json)
      io.stderr.write(`Uploaded${stored.id === undefined ? ': list the folder for its number' : ''}.\n`);
    return { data: stored, text: stored.id?.toString() ?? '' };
  },
});

const deleteCommand = subcommand({
  usage: 'delete <id>',
  describe: 'Delete a file of the file repository',
  args: { id, ...JSON_OPTION, ...YES },
  check,
  confirms: ({ id }) => `Delete file ${id} of the file repository`,
  writes: async ({ client }, { id, quiet, json }, io) => {
    await client.fileRepository.delete(id);
    if (!quiet && !json) io.stderr.write('Deleted.\n');
    return { data: { count: 1 }, text: '' };
  },
});

const folderCommand = subcommand({
  usage: 'create-folder <name>',
  describe: 'Create a folder in the file repository and print its number',
  args: {
    name: needed('Name of the folder'),
    parent: number('Number of the parent folder; default: the top'),
    'dag-id': number('Only the data access group of this number sees it'),
    'role-id': number('Only the role of this number sees it'),
    ...JSON_OPTION,
  },
  check,
  writes: async ({ client }, { name, parent, dagId, roleId }) => {
    const id = await client.fileRepository.createFolder({ name: String(name), parent, dagId, roleId });
    return { data: { id }, text: `${id}` };
  },
});

export const command = defineCommand({
  subcommands: [listCommand, infoCommand, getCommand, putCommand, deleteCommand, folderCommand],
});
