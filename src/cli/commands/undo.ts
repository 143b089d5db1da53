import { shownApart } from '../../domain/dictionary/without-tags.js';
import { ImportUndo, type UndoEntry, type UndoOutcome } from '../../records/undo/import-undo.js';
import { projectKeyOf } from '../../records/undo/undo-lines.js';
import { CliError, EXIT_CODES, type ExitCode } from '../cli-error.js';
import { type ArgumentsOf, defineCommand } from '../command.js';
import { UndoFile, UndoJournal } from '../files/undo-file.js';
import type { Io } from '../io.js';
import { type OpenedClient, withClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import { flag, needed } from '../options/option.js';
import { JSON_ON_STDOUT, YES } from '../options/shared-options.js';
import { counted, placeOf, printable, said, terminalWidth, toTable } from '../printing/table.js';

const args = {
  file: needed('The undo file that crf import has written'),
  'dry-run': flag('Show what would be undone; store nothing'),
  ...YES,
  ...JSON_ON_STDOUT,
} as const;

type UndoArguments = ArgumentsOf<typeof args>;

/** Shows what undoing an import changes, and undoes it.*/
export const command = defineCommand({
  args,
  examples: {
    '$0 undo visits.csv.20261125-141502-5c0e81f2.undo': 'Show what changes, then undo it',
    '$0 undo visits.csv.20261125-141502-5c0e81f2.undo --dry-run': 'Only show it',
  },
  epilogue:
    'A value that somebody has changed since the import stays as it is, and so does a new record that has other values by now: both are listed. An undo that was interrupted is repeated. Exit codes: 0 undone, 1 failed, 2 usage, 3 credentials refused, 4 unreachable or timed out, 5 undone, but not all, 130 interrupted.',
  run: async (options, io) => {
    const signal = io.interrupt();
    return withClient({ ...options, needsProject: true }, io, async (opened) => {
      const journal = await UndoJournal.open(options.file, opened.settings.undoKey);
      try {
        if (journal.header.project !== projectKeyOf(await opened.client.project.getInfo({ signal })))
          throw new CliError(`${options.file} belongs to an import into another project.`, EXIT_CODES.usage);
        return await undo(journal, opened, options, io);
      } finally {
        await journal.close();
      }
    });
  },
});

async function undo(
  journal: UndoJournal,
  { client }: OpenedClient,
  { dryRun, yes, json }: UndoArguments,
  io: Io,
): Promise<ExitCode> {
  const run = async (isDry: boolean) => {
    const first: UndoEntry[] = [];
    const onEntry = (entry: UndoEntry): void => void (first.length < MAX_NAMED && first.push(entry));
    const work = new ImportUndo(client, {
      ...{ call: { signal: io.interrupt() }, dryRun: isDry, repeated: journal.repeated, onEntry },
    });
    return { ...(await work.run(journal.steps())), first };
  };
  const shown = await run(true);
  if (!json) io.stdout.write(inWords(shown, terminalWidth(io.stdout)));
  const isNothing = shown.restored + shown.deleted === 0;
  if (dryRun || isNothing) {
    if (json) io.stdout.write(`${JSON.stringify(shown)}\n`);
    return shown.changed > 0 && isNothing ? EXIT_CODES.partial : EXIT_CODES.ok;
  }
  await confirm('Undo this', yes, io);
  // From now on the import must not be continued.
  if (journal.end !== 'undone') await (await UndoFile.continue(journal)).close('undone');
  const done = await run(false);
  if (json) io.stdout.write(`${JSON.stringify(done)}\n`);
  io.stderr.write(`${summary(done)}\n`);
  return done.changed + done.refused > 0 ? EXIT_CODES.partial : EXIT_CODES.ok;
}

function inWords(outcome: UndoOutcome & { readonly first: readonly UndoEntry[] }, width?: number): string {
  const { restored, deleted, changed, unreadable, first } = outcome;
  const total = restored + deleted + changed;
  const shown = first.slice(0, MAX_SHOWN);
  return said(
    `To undo: ${counted(restored, 'value')} to restore, ${counted(deleted, 'record')} to delete.\n`,
    changed > 0 && `${leftAsItIs(changed)}\n`,
    unreadable.length > 0 &&
      `Not known, because it could not be read before the import: ${printable(unreadable.join(', '))}.\n`,
    total > 0 && `\n${toTable(shown, COLUMNS, width)}`,
    total > shown.length && `and ${total - shown.length} more\n`,
  ).join('');
}

function summary({ restored, deleted, changed, refused }: UndoOutcome): string {
  return said(
    `Restored ${counted(restored, 'value')}, deleted ${counted(deleted, 'record')}.`,
    changed > 0 && leftAsItIs(changed),
    refused > 0 && `REDCap refused to change ${counted(refused, 'value')}, such as those of a locked form.`,
    'The log of the project keeps the import and its undo; survey timestamps stay as they are.',
  ).join('\n');
}

function leftAsItIs(changed: number): string {
  return `Left as it is, because somebody has changed it since: ${counted(changed, 'value')}.`;
}

const COLUMNS = [
  { title: 'record', cell: placeOf },
  { title: 'field', cell: ({ field }: UndoEntry) => field },
  { title: 'undo', cell: ({ kind }: UndoEntry) => WORDS[kind] },
  { title: 'stored', cell: ({ stored, before }: UndoEntry) => shownApart(stored, before)[0] },
  { title: 'before the import', cell: ({ stored, before }: UndoEntry) => shownApart(stored, before)[1] },
];
const WORDS = {
  restored: 'restore',
  deleted: 'DELETE',
  changed: 'changed since',
  refused: 'refused',
} as const;
const MAX_SHOWN = 50;
const MAX_NAMED = 1_000;
