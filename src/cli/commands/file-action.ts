import type { FilePlace } from '../../gateways/redcap/crf-client.js';
import { confirm } from '../options/confirm.js';
import type { FilePlaceArguments } from './file.js';
import { interruptSignal } from '../interrupt.js';
import { withClient } from '../open-client.js';
import { readUpload, type UploadArguments } from '../files/read-upload.js';
import { saveFile, type SaveArguments } from '../files/save-file.js';

/** `crf file get`. */
export async function getFile(options: FilePlaceArguments & SaveArguments): Promise<void> {
  await saveFile(options, options.field, (client, signal) =>
    client.files.download(placeOf(options), { signal }),
  );
}

/** `crf file put`. */
export async function putFile(options: FilePlaceArguments & UploadArguments): Promise<void> {
  const signal = interruptSignal();
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    await client.files.upload(placeOf(options), await readUpload(options), { signal });
  });
  if (!options.quiet) process.stderr.write('Uploaded.\n');
}

/** `crf file rm`. */
export async function removeFile(options: FilePlaceArguments & { readonly yes: boolean }): Promise<void> {
  await confirm(`Delete the file in ${options.field} of record ${options.record}`, options.yes);
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    await client.files.delete(placeOf(options));
  });
  if (!options.quiet) process.stderr.write('Deleted.\n');
}

function placeOf({ record, field, event, instance }: FilePlaceArguments): FilePlace {
  // yargs parses a numeric record ID as a number.
  return { record: String(record), field: String(field), event, repeatInstance: instance };
}
