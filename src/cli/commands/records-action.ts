import { RecordActions } from '../../services/record-actions.js';
import type { DeleteArguments, RandomizeArguments, RenameArguments } from './records.js';
import { confirm, type YesArguments } from '../options/confirm.js';
import { counted } from '../printing/counted.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { namesInWords } from '../printing/names-in-words.js';
import { withClient, type OpenedClient } from '../open-client.js';

/** Deletes records, or parts of their data. */
export async function deleteRecords(options: DeleteArguments): Promise<void> {
  const { arm, event, instrument, instance: repeatInstance, deleteLogging } = options;
  const ids = options.ids.map(String);
  const part = [
    ...(instrument === undefined ? [] : [`instrument ${instrument}`]),
    ...(event === undefined ? [] : [`event ${event}`]),
    ...(arm === undefined ? [] : [`arm ${arm}`]),
    ...(repeatInstance === undefined ? [] : [`instance ${repeatInstance}`]),
  ];
  const what = part.length === 0 ? 'everything' : part.join(', ');
  await confirm(`Delete ${what} of ${counted(ids.length, 'record')}: ${namesInWords(ids)}`, options.yes);
  await withActions(options, async (records) => {
    const count = await records.delete(ids, { arm, event, instrument, repeatInstance, deleteLogging });
    process.stdout.write(`${count}\n`);
  });
}

/** Renames a record. */
export async function renameRecord({ arm, ...options }: RenameArguments): Promise<void> {
  const [id, newId] = [String(options.id), String(options.newId)];
  const where = arm === undefined ? '' : ` in arm ${arm}`;
  await confirm(`Rename the record ${namesInWords([id])} to ${namesInWords([newId])}${where}`, options.yes);
  await withActions(options, async (records) => {
    process.stdout.write(`${await records.rename(id, newId, { arm })}\n`);
  });
}

/** Assigns a record to a group of a trial. */
export async function randomizeRecord({ randomization, ...options }: RandomizeArguments): Promise<void> {
  const id = String(options.id);
  await confirm(`Randomize the record ${namesInWords([id])}, which cannot be undone`, options.yes);
  await withClient({ ...options, needsProject: true }, async ({ client }) => {
    const { target } = await client.records.randomize(id, randomization);
    process.stdout.write(`${target}\n`);
  });
}

/** Prints the id of the next record. */
export async function printNextId(options: GlobalArguments): Promise<void> {
  await withClient(options, async ({ client }) => {
    process.stdout.write(`${await client.records.nextId()}\n`);
  });
}

async function withActions(
  options: YesArguments,
  work: (records: RecordActions) => Promise<void>,
): Promise<void> {
  await withClient({ ...options, needsProject: true }, ({ client, settings }: OpenedClient) =>
    work(new RecordActions(client, settings.project.imports)),
  );
}
