import { shownApart } from '../../domain/dictionary/without-tags.js';
import type { ImportChange, ImportChanges } from '../../gateways/redcap/crf-client.js';
import { counted, firstOf, placeOf, said, toTable } from './table.js';

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
  const pairs = lookalikes.first.map(({ record, stored, line }) => `${record} (line ${line}) and ${stored}`);
  const lines = said(
    `Records: ${records.new} new, ${records.changed} changed, ${records.unchanged} unchanged.`,
    set + changed > 0 && `Values of existing records: ${set} set, ${changed} changed.`,
    erased > 0 && `Erased: ${counted(erased, 'stored value')}.`,
    lookalikes.count > 0 &&
      `Probably the same record: ${firstOf(pairs, MAX_NAMES, lookalikes.count)}. Has a spreadsheet removed leading zeros?`,
    records.new > 0 &&
      known > records.new &&
      `Most records exist, and ${records.new} would be created: --only-existing refuses that.`,
    erasing.length > 0 && `Erases more than it sets: ${firstOf(erasing, MAX_NAMES)}.`,
    groups > 0 && `${counted(groups, 'record')} would be in another data access group.`,
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
