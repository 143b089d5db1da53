import { shownApart } from '../../domain/dictionary/without-tags.js';
import type { ImportChange, ImportChanges } from '../../gateways/redcap/crf-client.js';
import { counted, toTable } from './table.js';

/**
 * Describes what an import changes: the counts, then what is probably a mistake, then the first changes.
 *
 * @param width of the terminal; lines are not cut by default
 */
export function changesInWords(
  { records, values, groups, erasing, unreadable, lookalikes, first }: ImportChanges,
  width?: number,
): string {
  const { set, changed, erased } = values;
  const known = records.changed + records.unchanged;
  const total = records.new + set + changed + erased;
  const shown = first.slice(0, MAX_SHOWN);
  const erasures = erased === 0 ? [] : [`Erased: ${counted(erased, 'stored value')}.`];
  const lines = [
    `Records: ${records.new} new, ${records.changed} changed, ${records.unchanged} unchanged.`,
    ...(set + changed > 0 ? [`Values of existing records: ${set} set, ${changed} changed.`] : []),
    ...erasures,
    ...(lookalikes.count > 0
      ? [
          `Probably the same record: ${lookalikes.first
            .slice(0, MAX_NAMES)
            .map(({ record, stored, line }) => `${record} (line ${line}) and ${stored}`)
            .join(', ')}${more(lookalikes.count - MAX_NAMES)}. Has a spreadsheet removed leading zeros?`,
        ]
      : []),
    ...(records.new > 0 && known > records.new
      ? [`Most records exist, and ${records.new} would be created: --only-existing refuses that.`]
      : []),
    ...(erasing.length > 0
      ? [
          `Erases more than it sets: ${erasing.slice(0, MAX_NAMES).join(', ')}${more(erasing.length - MAX_NAMES)}.`,
        ]
      : []),
    ...(groups > 0 ? [`${counted(groups, 'record')} would be in another data access group.`] : []),
    ...(unreadable.length > 0
      ? [`Not compared, because this token may not read it: ${unreadable.join(', ')}.`]
      : []),
  ];
  const table = total === 0 ? '' : `\n${toTable(shown, COLUMNS, width)}`;
  const rest = total > shown.length ? `and ${total - shown.length} more; --diff-csv FILE lists all\n` : '';
  return `${lines.join('\n')}\n${table}${rest}`;
}

function more(number: number): string {
  return number > 0 ? ` and ${number} more` : '';
}

const COLUMNS = [
  { title: 'line', cell: ({ line }: ImportChange) => String(line) },
  {
    title: 'record',
    cell: ({ record, event, instance }: ImportChange) =>
      [record, event, instance].filter((part) => part !== '' && part !== null).join(', '),
  },
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
