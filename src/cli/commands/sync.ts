import { ChangeEngine, type ChangeSource, type Look } from '../../sync/change-engine.js';
import type { Difference } from '../../sync/copy-rows.js';
import { statusOfCopy } from '../../sync/open-copy.js';
import type { SqlCopy } from '../../sync/sql-copy.js';
import { verifyCopy } from '../../sync/verify-copy.js';
import { EXIT_CODES, type ExitCode } from '../cli-error.js';
import { defineCommand, subcommand } from '../command.js';
import type { Io } from '../io.js';
import { copyArgs, copyTarget, intervalOf } from '../options/copy-options.js';
import { choice, flag, needed, text, texts } from '../options/option.js';
import { JSON_OPTION, refuseBlanks, toList } from '../options/shared-options.js';
import { counted } from '../printing/table.js';
import { updateCopy } from './update-copy.js';

const TARGETS = 'The copy: sqlite:FILE, csv:FOLDER, parquet:FOLDER or postgres://…';

const statusCommand = subcommand({
  usage: 'status',
  describe: 'Show when a copy was brought up to date, and what is pending; calls no REDCap',
  args: { to: needed(TARGETS), ...JSON_OPTION },
  readsSettings: false,
  check: ({ to }) => void copyTarget(to),
  run: async ({ to }) => {
    const { state, issues, ...rest } = await statusOfCopy(copyTarget(to));
    const data = {
      ...rest,
      sweptAt: new Date(state.sweptAt).toISOString(),
      isSweeping: state.isSweeping,
      pending: Object.keys(state.log.candidates).length,
      conversionIssues: issues,
    };
    const text = `Up to date as of ${data.updatedAt}, all records read at ${data.sweptAt}.\n${counted(rest.records, 'record')}, ${counted(rest.changes, 'change')}, ${counted(data.pending, 'record')} to be read again, ${counted(issues, 'conversion issue')}, ${rest.bytes} bytes.`;
    return { data, text };
  },
});

export const command = defineCommand({
  args: {
    to: needed(TARGETS),
    every: text(
      'Run until interrupted, and look again after 30s, 15m or 2h; auto is a minute, and up to 15 when nothing changes',
    ),
    verify: flag('Compare the copy with a fresh export afterwards, cell by cell'),
    forms: texts('Only these instruments, which the copy remembers; all if it is left out the first time'),
    'on-removed': choice(
      'What becomes of a column or table that the project no longer has: a dated name, or nothing',
      ['keep', 'drop'],
      { default: 'keep' },
    ),
    ...copyArgs,
    json: flag('Print a JSON line for each look'),
  },
  subcommands: [statusCommand],
  examples: {
    '$0 sync --to sqlite:study.db': 'Everything the first time, then only what changed',
    '$0 sync --to parquet:study': 'A folder with a file for each instrument',
    '$0 sync --to sqlite:study.db --forms demographics visit': 'A part of the project',
    '$0 sync --to sqlite:stats.db --as key:stats': 'What an API key sees under its policy',
    '$0 sync --to sqlite:study.db --every 15m': 'The same every quarter of an hour',
    '$0 sync --to sqlite:study.db --every auto --budget 500': 'Often, with few entries in the log',
    '$0 sync --to sqlite:study.db --verify': 'Update, then compare every cell with REDCap',
    '$0 sync status --to sqlite:study.db': 'How current the copy is',
  },
  epilogue:
    'Readers always see complete files. Exit codes: 0 up to date, 1 failed or different, 2 usage, 3 credentials refused, 4 unreachable or timed out, 130 interrupted.',
  combinations: [
    { option: 'policy', needs: 'as' },
    { option: 'budget', needs: 'every' },
    { option: 'verify', not: 'every' },
  ],
  check: ({ to, every, budget, forms }) => {
    copyTarget(to);
    refuseBlanks({ forms });
    if (every !== undefined) intervalOf(every, budget);
  },
  run: (options, io) =>
    updateCopy(
      {
        ...options,
        target: copyTarget(options.to),
        instruments: toList(options.forms),
        interval: options.every === undefined ? undefined : intervalOf(options.every, options.budget),
        onLook: async (look, copy, source, signal) => {
          if (options.json) io.stdout.write(`${JSON.stringify(summaryOf(look))}\n`);
          return options.verify ? verify(copy, source, signal, io) : EXIT_CODES.ok;
        },
      },
      io,
    ),
});

/** Compares what differs once more after another look, since people go on working. */
async function verify(copy: SqlCopy, client: ChangeSource, signal: AbortSignal, io: Io): Promise<ExitCode> {
  const [idField] = await client.fields.list({ signal });
  let differences = await verifyCopy(client, copy, idField?.name ?? '', signal);
  if (differences.length > 0) {
    await new ChangeEngine(client, copy).look({ signal });
    differences = await verifyCopy(client, copy, idField?.name ?? '', signal);
  }
  for (const difference of differences.slice(0, 100)) io.stderr.write(`${placeOf(difference)}\n`);
  if (differences.length === 0) io.stderr.write('The copy equals a fresh export, cell by cell.\n');
  else io.stderr.write(`${counted(differences.length, 'difference')}. Run it with --sweep.\n`);
  return differences.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function placeOf({ record, instrument, column }: Difference): string {
  const place = [instrument, column].filter((part) => part !== undefined).join('.');
  return `record ${record}${place === '' ? '' : `: ${place}`}`;
}

function summaryOf({ counts, isSweep, pending, records, notes }: Look): object {
  return { at: new Date().toISOString(), records, ...counts, pending, isSweep, notes };
}
