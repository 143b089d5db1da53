import { OPTIONAL_PARTS } from '../backup/optional-parts.js';
import { defineCommand } from '../define-command.js';
import { YES } from '../options/output-options.js';

const folder = { type: 'string', demandOption: true, describe: 'Folder of the backup' } as const;

const verifyCommand = defineCommand({
  name: 'verify',
  describe: 'Check that every file of a backup is as it was written, without REDCap',
  args: { folder },
  positionals: ['folder'],
  readsSettings: false,
  handler: async (options) => (await import('../backup/run-backup.js')).verifyBackup(options),
});

export const backupCommand = defineCommand({
  name: 'backup',
  describe: 'Save the whole project in a folder, or bring a backup up to date',
  args: {
    folder,
    without: {
      choices: OPTIONAL_PARTS,
      array: true,
      default: [],
      describe: 'Leave a part out, such as one that the token may not read',
    },
  },
  positionals: ['folder'],
  examples: [
    ['$0 backup cohort', 'Design, records, files, people, participants and log; run it again to update it'],
    ['$0 backup verify cohort', 'Check the digests of all files'],
    ['$0 restore cohort', 'Put it into an empty project'],
  ],
  epilogue:
    'Files that the folder has are not fetched again, and a backup that was interrupted is gone on with. The folder is readable by you alone: it has everything of the project, also the links of surveys. manifest.json names what REDCap has no API for.',
  subcommands: [verifyCommand],
  handler: async (options) => (await import('../backup/run-backup.js')).runBackup(options),
});

export const restoreCommand = defineCommand({
  name: 'restore',
  describe: 'Put a backup into an empty project, read it back, and list what differs',
  args: { folder, ...YES },
  positionals: ['folder'],
  examples: [
    [
      '$0 project create "Copy" --xml cohort/project.xml',
      'Make an empty project with the design (super token)',
    ],
    ['$0 restore cohort', 'Put everything into it; its token is CAPTURE_API_TOKEN'],
  ],
  epilogue:
    'Users who are in the project already keep their rights. A restore that was interrupted is gone on with by the same command. Exit codes: 0 nothing differs, 1 something does.',
  handler: async (options) => (await import('../backup/run-backup.js')).runRestore(options),
});
