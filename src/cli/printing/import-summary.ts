import { shownApart } from '../../domain/dictionary/without-tags.js';
import {
  ImportIncompleteError,
  ImportInterruptedError,
  type RowRange,
} from '../../domain/errors/upstream-errors.js';
import type {
  ImportCell,
  ImportChange,
  ImportChanges,
  Verification,
} from '../../gateways/redcap/crf-client.js';
import type { ImportOutcome } from '../../services/record-writer.js';
import { counted, firstOf, placeOf, said, toTable } from './table.js';

/** Summarizes what an import stored, what it left out because no import can store it, and what was read back. */
export function importSummary({
  count,
  batches,
  dryRun,
  ignored = [],
  verified,
  ids = [],
}: ImportOutcome): string {
  const [records, calls] = [counted(count, 'record'), counted(batches, 'call')];
  const done = dryRun
    ? `Valid: ${records}, ${calls} to REDCap. Nothing was sent; checked`
    : `Stored ${records} in ${calls}`;
  return said(
    ignored.length > 0 && describeIgnored(ignored),
    verified && !isUnverified(verified) && describeVerification(verified),
    ids.length > 0 && describeNumbers(ids),
    done,
  ).join('\n');
}

/** Says what is probably wrong with what an import stored, or would store, and what it did not store as it was sent. */
export function importWarnings(
  { dryRun, repeated, notChecked = [], warnings, verified, conflicts }: ImportOutcome,
  report?: string,
): string[] {
  return said(
    ...notChecked.map(
      (what) =>
        `Not checked: whether ${NOT_CHECKED[what]}. This token may not read them, and REDCap may refuse the rows.`,
    ),
    repeated && describeRepeated(repeated),
    warnings && describeWarnings(warnings, dryRun === true, report),
    conflicts && describeConflicts(conflicts),
    verified && isUnverified(verified) && describeVerification(verified),
  );
}

const NOT_CHECKED = {
  places: 'the events and instruments of the rows are those of the project',
  dags: 'the project has the data access groups of the rows',
} as const;

/** Whether a value was not read back as it was sent, or could not be. */
function isUnverified({ differs, absent, unreadable }: Verification): boolean {
  return differs + absent + unreadable.length > 0;
}

/** Names the records that REDCap has numbered, each once. */
function describeNumbers(ids: readonly string[]): string {
  const names = [...new Set(ids)];
  const hint = names.length > MAX_IDS_SHOWN ? '; --json lists all' : '';
  return `Numbered by REDCap: ${firstOf(names, MAX_IDS_SHOWN)}${hint}.`;
}

function describeIgnored(ignored: NonNullable<ImportOutcome['ignored']>): string {
  const values = ignored.reduce((sum, column) => sum + column.values, 0);
  const names = ignored.map(({ field, reason }) => `${field} (${REASONS[reason]})`);
  return `Left out: ${counted(values, 'value')} of ${counted(ignored.length, 'column')} that no import can store: ${firstOf(names, MAX_COLUMNS_SHOWN)}.`;
}

function describeRepeated({ count, rows = [] }: NonNullable<ImportOutcome['repeated']>): string {
  const lines = rows.map(({ line, record }) => `line ${line} (${record})`);
  return `Note: ${counted(count, 'row')} ${count === 1 ? 'is' : 'are'} for a record that an earlier row of the file is for, too; the later value stands: ${firstOf(lines, MAX_LINES_SHOWN, count)}.`;
}

function describeConflicts({ count, first }: NonNullable<ImportOutcome['conflicts']>): string {
  const intro = `Not stored, because ${count === 1 ? 'it is' : 'they are'} not what was shown: ${counted(count, 'change')}. Somebody has changed the record since, or the file.`;
  return [
    intro,
    ...cellLines(first, count, ({ old }) => `is now ${old === '' ? 'empty' : quotedValue(old)}`),
  ].join('\n');
}

function describeVerification({ stored, differs, absent, unreadable, first }: Verification): string {
  const missing = differs + absent;
  return [
    missing === 0
      ? `Verified: ${counted(stored, 'value')} stored.`
      : `Read back: ${counted(stored, 'value')} stored, ${differs} different, ${absent} absent:`,
    ...cellLines(first, missing, ({ sent, stored: found }) =>
      found === ''
        ? `is absent, sent ${quotedValue(sent)}`
        : `is ${quotedValue(found)}, sent ${quotedValue(sent)}`,
    ),
    ...(unreadable.length === 0
      ? []
      : [`Not read back, because this token may not read it: ${unreadable.join(', ')}.`]),
  ].join('\n');
}

function cellLines<Cell extends ImportCell>(
  cells: readonly Cell[],
  count: number,
  describe: (cell: Cell) => string,
  more = '',
): string[] {
  const lines = cells
    .slice(0, MAX_WARNINGS_SHOWN)
    .map((cell) => `  line ${cell.line}, ${placeOf(cell)}: ${cell.field} ${describe(cell)}`);
  const rest = count - lines.length;
  return rest > 0 ? [...lines, `  and ${rest} more${more}`] : lines;
}

function quotedValue(value: string): string {
  return JSON.stringify(value.length > MAX_VALUE_SHOWN ? `${value.slice(0, MAX_VALUE_SHOWN)}…` : value);
}

const WARNINGS = [
  ['out_of_range', 'value', 'out of range'],
  ['invalid_value', 'value', 'not fitting'],
  ['hidden_value', 'value', 'in hidden fields'],
  ['other_arm', 'record', 'would begin another arm'],
  ['required_empty', 'required field', 'empty'],
  ['not_checked', 'field', 'with a limit that is not evaluated'],
  ['spreadsheet_damage', 'number', 'that a spreadsheet has probably changed'],
  ['unnumbered_id', 'row', 'with a new id unlike those that REDCap gives'],
  ['blanks_around', 'value', 'with blanks around, which are left out'],
] as const;

function describeWarnings(
  { count, rules, first }: NonNullable<ImportOutcome['warnings']>,
  isDryRun: boolean,
  report: string | undefined,
): string {
  const kinds = WARNINGS.flatMap(([rule, what, rest]) => {
    const broken = rules[rule] ?? 0;
    return broken > 0 ? [`${counted(broken, what)} ${rest}`] : [];
  });
  const where = report === undefined ? '--report FILE lists all' : `all are in ${report}`;
  const wouldBe =
    rules.invalid_value > 0
      ? 'REDCap may refuse what does not fit.'
      : 'REDCap would store this all the same.';
  return [
    `Warning: ${kinds.join(', ')}. ${isDryRun ? wouldBe : 'This was sent all the same.'}`,
    ...cellLines(first, count, ({ message }) => message, `; ${where}`),
  ].join('\n');
}

/**
 * Describes what was stored before an import failed, and the command with which it goes on.
 *
 * @param args the arguments of the command that failed
 * @param undo its undo file, if there is one, and whether it can go on with it: nobody knows whether the next standard
 *   input is the same
 */
export function whatWasStored(
  error: unknown,
  isDryRun: boolean,
  args: readonly string[],
  undo?: UndoPath,
): string {
  if (isDryRun) return 'Nothing was sent.';
  if (!(error instanceof ImportInterruptedError)) return 'Nothing was stored.';
  const { stored, resumeFrom, doubtful, storedLater } = error;
  const later = storedLater.length > 0 ? ` ${describeRows(storedLater)} are stored, too.` : '';
  const doubt =
    doubtful.length > 0
      ? ` ${describeRows(doubtful)} may ${error instanceof ImportIncompleteError ? 'not be stored, or only in part' : 'have been stored all the same'}: importing them again does no harm to plain records, but adds another instance where \`new\` numbers them.`
      : '';
  return `Stored: ${counted(stored, 'record')}.${later}${doubt} ${undo === undefined ? '' : `Undo it with:\n  ${['crf', 'undo', undo.path].map(quoted).join(' ')}\n`}Go on with:\n  ${commandFrom(resumeFrom + 1, args, undo)}`;
}

interface UndoPath {
  readonly path: string;
  readonly canGoOn: boolean;
}

/** Returns the command for a shell that goes on: with the undo file, which knows the row, or else from a row. */
function commandFrom(row: number, args: readonly string[], undo: UndoPath | undefined): string {
  const left = undo === undefined ? 'from-row' : undo.canGoOn ? 'undo' : 'from-row|undo';
  const option = new RegExp(`^--(${left})(=|$)`);
  const kept = args.filter(
    (argument, index) =>
      !option.test(argument) && !(option.test(args[index - 1] ?? '') && !args[index - 1]?.includes('=')),
  );
  const goOn = undo?.canGoOn ? ['--undo', undo.path] : ['--from-row', String(row)];
  return ['crf', ...kept, ...goOn].map(quoted).join(' ');
}

function quoted(argument: string): string {
  return /^[\w./:=,@%+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

function describeRows(ranges: readonly RowRange[]): string {
  return `Rows ${ranges.map(({ from, to }) => `${from + 1} to ${to}`).join(', ')}`;
}

const REASONS = {
  calculated: 'calculated',
  file: 'a file',
  descriptive: 'descriptive text',
  survey: 'of surveys',
  query: 'labels of a query, for which no codes are known',
} as const;
const MAX_COLUMNS_SHOWN = 6;
const MAX_IDS_SHOWN = 20;
const MAX_LINES_SHOWN = 5;
const MAX_WARNINGS_SHOWN = 10;
const MAX_VALUE_SHOWN = 60;

/**
 * Describes what an import changes: the counts, then what is probably a mistake, then the first changes.
 *
 * @param width of the terminal; lines are not cut by default
 */
export function changesInWords(
  { records, values, dags, erasing, unreadable, lookalikes, first }: ImportChanges,
  width?: number,
): string {
  const { set, changed, erased } = values;
  const known = records.changed + records.unchanged;
  const total = records.new + set + changed + erased;
  const shown = first.slice(0, MAX_SHOWN);
  const pairs = lookalikes.first.map(({ record, stored, line }) => `${record} (line ${line}) and ${stored}`);
  const lines = said(
    `Records: ${records.new} new, ${records.changed} changed, ${records.unchanged} unchanged.`,
    set + changed > 0 && `Values of existing records: ${set} set, ${changed} changed.`,
    erased > 0 && `Erased: ${counted(erased, 'stored value')}.`,
    lookalikes.count > 0 &&
      `Probably the same record: ${firstOf(pairs, MAX_NAMES, lookalikes.count)}. Has a spreadsheet removed leading zeros?`,
    records.new > 0 &&
      known > records.new &&
      `Most records exist, and ${records.new} would be created: --only existing refuses that.`,
    erasing.length > 0 && `Erases more than it sets: ${firstOf(erasing, MAX_NAMES)}.`,
    dags > 0 && `${counted(dags, 'record')} would be in another data access group.`,
    unreadable.length > 0 && `Not compared, because this token may not read it: ${unreadable.join(', ')}.`,
  );
  const table = total === 0 ? '' : `\n${toTable(shown, COLUMNS, width)}`;
  const rest = total > shown.length ? `and ${total - shown.length} more; --diff-csv FILE lists all\n` : '';
  return `${lines.join('\n')}\n${table}${rest}`;
}

const COLUMNS = [
  { title: 'line', cell: ({ line }: ImportChange) => String(line) },
  { title: 'record', cell: placeOf },
  { title: 'field', cell: ({ field }: ImportChange) => field },
  { title: 'change', cell: ({ kind }: ImportChange) => (kind === 'erased' ? 'ERASED' : kind) },
  { title: 'stored', cell: ({ old, new: now }: ImportChange) => shownApart(old, now)[0] },
  {
    title: 'new value',
    cell: ({ kind, old, new: now }: ImportChange) => (kind === 'new' ? '' : shownApart(old, now)[1]),
  },
];
const MAX_SHOWN = 50;
const MAX_NAMES = 5;
