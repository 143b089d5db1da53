import type { FilePlace } from '../../gateways/redcap/crf-client.js';
import { type ArgumentsOf, defineCommand, subcommand } from '../command.js';
import { readUpload } from '../files/read-files.js';
import { saveFile } from '../files/save-file.js';
import { needed, number, text } from '../options/option.js';
import {
  checkWholeNumbers,
  JSON_OPTION,
  MAX_INSTANCE,
  savedFileOptions,
  uploadOptions,
  YES,
} from '../options/shared-options.js';

const place = {
  record: needed('The record'),
  field: needed('The file field'),
  event: text('Event; required in longitudinal projects'),
  instance: number('Repeat instance; default: 1'),
} as const;

type PlaceArguments = ArgumentsOf<typeof place>;

const check = (values: PlaceArguments): void => checkWholeNumbers(values, { '--instance': MAX_INSTANCE });

const getCommand = subcommand({
  usage: 'get <record> <field>',
  describe: 'Save the file of a record',
  args: { ...place, ...savedFileOptions('file') },
  examples: { '$0 files get 1042 consent_form': 'Save a consent form under its own name' },
  check,
  run: (options, io) =>
    saveFile(options, options.field, io, (client, signal) => client.files.get(placeOf(options), { signal })),
});

const putCommand = subcommand({
  usage: 'put <record> <field> <file>',
  describe: 'Upload a file to a record, in place of the one that may be there',
  args: { ...place, ...uploadOptions, ...JSON_OPTION },
  examples: { '$0 files put 1042 consent_form scan.pdf': 'Upload a consent form' },
  check,
  writes: async ({ client }, options, io) => {
    await client.files.put(placeOf(options), await readUpload(options, io), { signal: io.interrupt() });
    if (!options.quiet && !options.json) io.stderr.write('Uploaded.\n');
    return { data: { count: 1 }, text: '' };
  },
});

const deleteCommand = subcommand({
  usage: 'delete <record> <field>',
  describe: 'Delete the file of a record',
  args: { ...place, ...JSON_OPTION, ...YES },
  check,
  confirms: ({ field, record }) => `Delete the file in ${field} of record ${record}`,
  writes: async ({ client }, options, io) => {
    await client.files.delete(placeOf(options));
    if (!options.quiet && !options.json) io.stderr.write('Deleted.\n');
    return { data: { count: 1 }, text: '' };
  },
});

export const command = defineCommand({ subcommands: [getCommand, putCommand, deleteCommand] });

function placeOf({ record, field, event, instance }: PlaceArguments): FilePlace {
  // yargs parses a numeric record ID as a number.
  return { record: String(record), field: String(field), event, instance };
}
