import { join } from 'node:path';
import { lockFile } from '../../sync/lock-file.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { CliError } from '../cli-error.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { interruptSignal } from '../interrupt.js';
import { withClient } from '../open-client.js';
import { confirm, type YesArguments } from '../options/confirm.js';
import type { GlobalArguments } from '../options/global-arguments.js';
import { counted } from '../printing/counted.js';
import { namesInWords } from '../printing/names-in-words.js';
import { Progress } from '../printing/progress.js';
import { printable } from '../printing/table.js';
import { backUp, type OptionalPart } from './back-up.js';
import { BackupFolder } from './backup-folder.js';
import { compareRestored } from './compare-restored.js';
import { endRestore, restore } from './restore.js';

interface FolderArguments extends GlobalArguments {
  readonly folder: string;
}

/** `crf backup`. */
export async function runBackup(
  options: FolderArguments & { readonly without: readonly OptionalPart[] },
): Promise<ExitCode> {
  return work(options, 'The same command goes on from here.', async (client, folder, run) => {
    const isFirst = folder.manifest === undefined;
    const { fetched, kept, manifest } = await backUp(client, folder, { ...run, without: options.without });
    run.progress.end(
      `Backed up ${namesInWords([manifest.project.title])}: ${counted(fetched, 'file')} fetched, ${kept} kept`,
    );
    if (!options.quiet && isFirst) sayWhatIsLeftOut(manifest);
    return EXIT_CODES.ok;
  });
}

/** `crf backup verify`. */
export async function verifyBackup({ folder: path, quiet }: FolderArguments): Promise<ExitCode> {
  const folder = await BackupFolder.toRead(path);
  let [whole, broken] = [0, 0];
  for await (const part of folder.everyPart()) {
    if (await folder.isWhole(part)) whole += 1;
    else {
      broken += 1;
      process.stderr.write(`${part.path} is absent, or not as it was written.\n`);
    }
  }
  if (!quiet)
    process.stderr.write(
      `${counted(whole, 'file')} of the backup of ${printable(folder.manifest?.at ?? '')} are whole.\n`,
    );
  return broken === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

/** `crf restore`. */
export async function runRestore(options: FolderArguments & YesArguments): Promise<ExitCode> {
  const { manifest } = await BackupFolder.toRead(options.folder);
  await confirm(
    `Restore ${namesInWords([manifest?.project.title ?? ''])} of ${printable(manifest?.at ?? '')} to the project of the token`,
    options.yes,
  );
  return work(options, 'The same command goes on from here.', async (client, folder, run) => {
    const restored = await restore(client, folder, run);
    let differences = 0;
    run.onProgress('read back', 0);
    const onDifference = (text: string): void => {
      if ((differences += 1) <= 100) run.progress.fail(printable(text));
    };
    const { recalculated, notTaken } = await compareRestored(
      client,
      folder,
      restored,
      onDifference,
      run.signal,
    );
    await endRestore(folder);
    for (const note of restored.notes) run.progress.fail(printable(note));
    if (restored.keptUsers.size > 0)
      run.progress.fail(
        `Users who were in the project keep their rights: ${namesInWords([...restored.keptUsers])}.`,
      );
    if (recalculated > 0)
      run.progress.fail(
        `${counted(recalculated, 'calculated value')} differ: REDCap calculates when it stores.`,
      );
    if (notTaken > 0)
      run.progress.fail(
        `${counted(notTaken, 'value')} of survey timestamps and identifiers are not restored: REDCap does not take them back.`,
      );
    run.progress.end(`Restored and read back: ${counted(differences, 'difference')}`);
    if (!options.quiet && manifest !== undefined) sayWhatIsLeftOut(manifest);
    return differences === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
  });
}

function sayWhatIsLeftOut({ leftOut }: Pick<NonNullable<BackupFolder['manifest']>, 'leftOut'>): void {
  process.stderr.write("What REDCap's API does not give or take back, as manifest.json says too:\n");
  for (const { what, why } of leftOut) process.stderr.write(`  ${printable(what)}: ${printable(why)}\n`);
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0]['client'];

interface Run {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly onProgress: (part: string, count: number) => void;
}

/** Opens the project and the folder, which one process works with at a time. */
async function work(
  options: FolderArguments,
  onInterrupt: string,
  run: (client: Client, folder: BackupFolder, run: Run) => Promise<ExitCode>,
): Promise<ExitCode> {
  const signal = interruptSignal();
  return withClient({ ...options, needsProject: true }, async ({ client }) => {
    const folder = await BackupFolder.toWrite(options.folder);
    const lock = await lockFile(join(options.folder, '.lock'));
    const progress = new Progress({ what: 'rows and files', isQuiet: options.quiet });
    try {
      return await run(client, folder, {
        signal,
        progress,
        onProgress: (part, count) => progress.say(`${part}: ${count}`),
      });
    } catch (error) {
      if (!(error instanceof CliError || error instanceof InvalidRequestError))
        progress.fail(signal.aborted ? `Interrupted. ${onInterrupt}` : `It is not whole. ${onInterrupt}`);
      if (signal.aborted) return EXIT_CODES.interrupted;
      throw error;
    } finally {
      lock.giveBack();
    }
  });
}
