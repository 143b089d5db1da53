import { join } from 'node:path';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { CrfClient } from '../../gateways/redcap/crf-client.js';
import { lockFile } from '../../sync/lock-file.js';
import { backUp, OPTIONAL_PARTS } from '../backup/back-up.js';
import { BackupFolder, type BackupRun } from '../backup/backup-folder.js';
import { CliError, EXIT_CODES } from '../cli-error.js';
import { type Answer, defineCommand, type GlobalArguments, type Outcome, subcommand } from '../command.js';
import type { Io } from '../io.js';
import { withClient } from '../open-client.js';
import { choice, needed } from '../options/option.js';
import { JSON_ON_STDOUT } from '../options/shared-options.js';
import { Progress } from '../printing/progress.js';
import { counted, namesInWords, printable } from '../printing/table.js';

export const folder = needed('Folder of the backup');

const verifyCommand = subcommand({
  usage: 'verify <folder>',
  describe: 'Check that every file of a backup is as it was written, without REDCap',
  args: { folder, ...JSON_ON_STDOUT },
  readsSettings: false,
  run: async ({ folder: path, quiet }, io) => {
    const folder = await BackupFolder.toRead(path);
    let whole = 0;
    const broken: string[] = [];
    for await (const part of folder.everyPart()) {
      if (await folder.isWhole(part)) whole += 1;
      else {
        broken.push(part.path);
        io.stderr.write(`${part.path} is absent, or not as it was written.\n`);
      }
    }
    const at = folder.manifest?.at ?? '';
    if (!quiet) io.stderr.write(`${counted(whole, 'file')} of the backup of ${printable(at)} are whole.\n`);
    return {
      data: { at, whole, broken },
      text: '',
      exitCode: broken.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed,
    };
  },
});

export const command = defineCommand({
  args: {
    folder,
    without: choice('Leave a part out, such as one that the token may not read', OPTIONAL_PARTS, {
      array: true,
      default: [],
    }),
    ...JSON_ON_STDOUT,
  },
  examples: {
    '$0 backup cohort': 'Design, records, files, people, participants and log; run it again to update it',
    '$0 backup verify cohort': 'Check the digests of all files',
    '$0 restore cohort': 'Put it into an empty project',
  },
  epilogue:
    'Files that the folder has are not fetched again, and a backup that was interrupted is gone on with. The folder is readable by you alone: it has everything of the project, also the links of surveys. manifest.json names what REDCap has no API for.',
  subcommands: [verifyCommand],
  run: async (options, io) =>
    work(options, io, async (client, folder, run) => {
      const isFirst = folder.manifest === undefined;
      const { fetched, kept, manifest } = await backUp(client, folder, { ...run, without: options.without });
      run.progress.end(
        `Backed up ${namesInWords([manifest.project.title])}: ${counted(fetched, 'file')} fetched, ${kept} kept`,
      );
      if (!options.quiet && isFirst) sayWhatIsLeftOut(manifest, io);
      return { data: { at: manifest.at, fetched, kept, leftOut: manifest.leftOut }, text: '' };
    }),
});

export function sayWhatIsLeftOut(
  { leftOut }: Pick<NonNullable<BackupFolder['manifest']>, 'leftOut'>,
  io: Io,
): void {
  io.stderr.write("What REDCap's API does not give or take back, as manifest.json says too:\n");
  for (const { what, why } of leftOut) io.stderr.write(`  ${printable(what)}: ${printable(why)}\n`);
}

/** Opens the project and the folder, which one process works with at a time. */
export async function work(
  options: GlobalArguments & { readonly folder: string },
  io: Io,
  run: (
    client: CrfClient,
    folder: BackupFolder,
    run: BackupRun & { readonly progress: Progress },
  ) => Promise<Answer>,
): Promise<Outcome> {
  const signal = io.interrupt();
  return withClient({ ...options, needsProject: true }, io, async ({ client }) => {
    const folder = await BackupFolder.toWrite(options.folder);
    const lock = await lockFile(join(options.folder, '.lock'));
    const progress = new Progress(io, { what: 'rows and files', isQuiet: options.quiet });
    try {
      return await run(client, folder, {
        signal,
        progress,
        onProgress: (part, count) => progress.say(`${part}: ${count}`),
      });
    } catch (error) {
      if (!(error instanceof CliError || error instanceof InvalidRequestError))
        progress.fail(
          `${signal.aborted ? 'Interrupted' : 'It is not whole'}. The same command goes on from here.`,
        );
      if (signal.aborted) return EXIT_CODES.interrupted;
      throw error;
    } finally {
      lock.giveBack();
    }
  });
}
