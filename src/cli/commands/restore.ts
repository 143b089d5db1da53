import { BackupFolder } from '../backup/backup-folder.js';
import { compareRestored } from '../backup/compare-restored.js';
import { endRestore, restore } from '../backup/restore.js';
import { EXIT_CODES } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { confirm } from '../options/confirm.js';
import { JSON_ON_STDOUT, YES } from '../options/shared-options.js';
import { counted, namesInWords, printable } from '../printing/table.js';
import { folder, sayWhatIsLeftOut, work } from './backup.js';

export const command = defineCommand({
  args: { folder, ...YES, ...JSON_ON_STDOUT },
  examples: {
    '$0 project create "Copy" --xml cohort/project.xml':
      'Make an empty project with the design (super token)',
    '$0 restore cohort': 'Put everything into it; its token is CAPTURE_API_TOKEN',
  },
  epilogue:
    'Users who are in the project already keep their rights. A restore that was interrupted is gone on with by the same command. Exit codes: 0 nothing differs, 1 something does.',
  run: async (options, io) => {
    const { manifest } = await BackupFolder.toRead(options.folder);
    await confirm(
      `Restore ${namesInWords([manifest?.project.title ?? ''])} of ${printable(manifest?.at ?? '')} to the project of the token`,
      options.yes,
      io,
    );
    return work(options, io, async (client, folder, run) => {
      const restored = await restore(client, folder, run);
      let count = 0;
      const differences: string[] = [];
      run.onProgress('read back', 0);
      const onDifference = (text: string): void => {
        if ((count += 1) > 100) return;
        differences.push(text);
        run.progress.fail(printable(text));
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
      run.progress.end(`Restored and read back: ${counted(count, 'difference')}`);
      if (!options.quiet && manifest !== undefined) sayWhatIsLeftOut(manifest, io);
      const { notes, keptUsers } = restored;
      return {
        // `differences` are the first hundred, as they are printed.
        data: { count, differences, recalculated, notTaken, notes, keptUsers: [...keptUsers] },
        text: '',
        exitCode: count === 0 ? EXIT_CODES.ok : EXIT_CODES.failed,
      };
    });
  },
});
