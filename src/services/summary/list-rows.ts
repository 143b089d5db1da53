import type { RowFormat } from '../../records/formats/row-format.js';
import { VISIT_STATES, type DueVisit } from './due-visits.js';
import { FORM_STATUSES } from './form-counts.js';
import type { ListedFinding, ListedForm, ListedRecord } from './listed-forms.js';

export const LIST_KINDS = ['forms', 'records', 'due', 'findings'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** The columns of each list, in order. */
export const LIST_COLUMNS = {
  forms: ['record', 'dag', 'event', 'instrument', 'instance', 'status', 'joined'],
  records: ['record', 'dag', 'joined'],
  due: ['record', 'dag', 'event', 'state', 'day', 'opens', 'closes', 'instruments'],
  findings: ['record', 'dag', 'event', 'instrument', 'instance', 'field', 'rule', 'message'],
} as const satisfies Readonly<Record<ListKind, readonly (keyof ListRow)[]>>;

export type ListColumn = (typeof LIST_COLUMNS)[ListKind][number];

/** The rows of each list. */
export interface RowOfList {
  readonly forms: ListedForm;
  readonly records: ListedRecord;
  readonly due: DueVisit;
  readonly findings: ListedFinding;
}

/** A row of any list. */
export type ListRow = ListedRecord & Partial<ListedForm> & Partial<DueVisit> & Partial<ListedFinding>;

/** Yields rows as they are written to a file. A cell of CSV has several names with blanks between them. */
export async function* cellsOf(
  rows: AsyncIterable<ListRow>,
  format: RowFormat = 'csv',
): AsyncGenerator<Record<string, unknown>> {
  for await (const row of rows)
    yield format === 'csv' && row.instruments !== undefined
      ? { ...row, instruments: row.instruments.join(' ') }
      : { ...row };
}

/** Statuses are sorted by how far a form is, visits by how near, other columns by their text. */
export function byColumn(column: ListColumn, isDescending: boolean) {
  const sign = isDescending ? -1 : 1;
  const collator = new Intl.Collator('en', { numeric: true });
  return (one: ListRow, other: ListRow): number => {
    const [a, b] = [one[column] ?? '', other[column] ?? ''];
    if (column === 'status') return sign * (rankIn(FORM_STATUSES, b) - rankIn(FORM_STATUSES, a));
    if (column === 'state') return sign * (rankIn(VISIT_STATES, a) - rankIn(VISIT_STATES, b));
    return sign * collator.compare(String(a), String(b));
  };
}

function rankIn(order: readonly string[], value: unknown): number {
  return order.findIndex((each) => each === value);
}
