import { shownApart } from '../../domain/dictionary/without-tags.js';
import { ImportUndo, type UndoEntry, type UndoOutcome } from '../../records/undo/import-undo.js';
import { projectKeyOf } from '../../records/undo/undo-lines.js';
import { CliError } from '../cli-error.js';
import type { UndoArguments } from './undo.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { UndoFile } from '../files/undo-file.js';
import { UndoJournal } from '../files/undo-journal.js';
import { interruptSignal } from '../interrupt.js';
import { withClient, type OpenedClient } from '../open-client.js';
import { confirm } from '../options/confirm.js';
import { counted } from '../printing/counted.js';
import { printable, toTable } from '../printing/table.js';
import { terminalWidth } from '../printing/terminal-width.js';

/** Shows what undoing an import changes, and undoes it. @returns the exit code */
export async function runUndo(options: UndoArguments): Promise<ExitCode> {
  const signal = interruptSignal();
  return withClient({ ...options, needsProject: true }, async (opened) => {
    const journal = await UndoJournal.open(options.file, opened.settings.undoKey);
    try {
      if (journal.header.project !== projectKeyOf(await opened.client.getProjectInfo({ signal })))
        throw new CliError(`${options.file} belongs to an import into another project.`, EXIT_CODES.usage);
      return await undo(journal, opened, options, signal);
    } finally {
      await journal.close();
    }
  });
}

async function undo(
  journal: UndoJournal,
  { client }: OpenedClient,
  { dryRun, yes, json }: UndoArguments,
  signal: AbortSignal,
): Promise<ExitCode> {
  const run = async (isDry: boolean) => {
    const first: UndoEntry[] = [];
    const onEntry = (entry: UndoEntry): void => void (first.length < MAX_NAMED && first.push(entry));
    const work = new ImportUndo(client, {
      ...{ call: { signal }, dryRun: isDry, repeated: journal.repeated, onEntry },
    });
    return { ...(await work.run(journal.steps())), first };
  };
  const shown = await run(true);
  if (!json) process.stdout.write(inWords(shown, terminalWidth(process.stdout)));
  const isNothing = shown.restored + shown.deleted === 0;
  if (dryRun || isNothing) {
    if (json) process.stdout.write(`${JSON.stringify(shown)}\n`);
    return shown.changed > 0 && isNothing ? EXIT_CODES.partial : EXIT_CODES.ok;
  }
  await confirm('Undo this', yes);
  // From now on the import must not be continued.
  if (journal.end !== 'undone') await (await UndoFile.continue(journal)).close('undone');
  const done = await run(false);
  if (json) process.stdout.write(`${JSON.stringify(done)}\n`);
  process.stderr.write(`${summary(done)}\n`);
  return done.changed + done.refused > 0 ? EXIT_CODES.partial : EXIT_CODES.ok;
}

function inWords(outcome: UndoOutcome & { readonly first: readonly UndoEntry[] }, width?: number): string {
  const { restored, deleted, changed, unreadable, first } = outcome;
  const total = restored + deleted + changed;
  const shown = first.slice(0, MAX_SHOWN);
  return [
    `To undo: ${counted(restored, 'value')} to restore, ${counted(deleted, 'record')} to delete.\n`,
    ...(changed > 0
      ? [`Left as it is, because somebody has changed it since: ${counted(changed, 'value')}.\n`]
      : []),
    ...(unreadable.length > 0
      ? [`Not known, because it could not be read before the import: ${printable(unreadable.join(', '))}.\n`]
      : []),
    ...(total > 0 ? [`\n${toTable(shown, COLUMNS, width)}`] : []),
    ...(total > shown.length ? [`and ${total - shown.length} more\n`] : []),
  ].join('');
}

function summary({ restored, deleted, changed, refused }: UndoOutcome): string {
  return [
    `Restored ${counted(restored, 'value')}, deleted ${counted(deleted, 'record')}.`,
    ...(changed > 0
      ? [`Left as it is, because somebody has changed it since: ${counted(changed, 'value')}.`]
      : []),
    ...(refused > 0
      ? [`REDCap refused to change ${counted(refused, 'value')}, such as those of a locked form.`]
      : []),
    'The log of the project keeps the import and its undo; survey timestamps stay as they are.',
  ].join('\n');
}

const COLUMNS = [
  {
    title: 'record',
    cell: ({ record, event, instance }: UndoEntry) =>
      [record, event, instance].filter((part) => part !== '' && part !== null).join(', '),
  },
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
