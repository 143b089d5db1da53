import type { VisitState } from './due-visits.js';
import { refusal } from '../../domain/errors/refusal.js';
import type { ListFilter } from './list-filter.js';
import { byColumn, type ListColumn, type ListKind, type ListRow } from './list-rows.js';

/** Selects a page of a list. */
export interface ListPageRequest extends ListFilter {
  /** The column by which the rows are sorted; in the order of the project by default. */
  readonly sort?: ListColumn | undefined;
  readonly isDescending?: boolean | undefined;
  /** From 1 to `MOST_PAGES`. */
  readonly page?: number | undefined;
}

/** How many visits of each state there are. */
export type VisitCounts = Readonly<Record<VisitState, number>>;

export interface ListPage {
  readonly rows: readonly ListRow[];
  /** The length of the whole list. */
  readonly total: number;
  /** Of a list of visits: how many there are by data access group, whatever group and state the list selects. */
  readonly visitsByDag: ReadonlyMap<string, VisitCounts>;
}

export const PAGE_ROWS = 50;
/** Beyond it, the file is quicker. It bounds what is held for sorting. */
export const MOST_PAGES = 200;

/**
 * Reads one page of a list. Memory: the rows up to its end.
 *
 * @param open opens the rows that a filter selects
 * @throws {InvalidRequestError} the page is not a number from 1 to `MOST_PAGES`
 */
export async function readListPage(
  kind: ListKind,
  request: ListPageRequest,
  open: (filter: ListFilter) => AsyncIterable<ListRow>,
): Promise<ListPage> {
  const { page = 1, sort = kind === 'due' ? 'day' : undefined, isDescending = false } = request;
  if (!Number.isInteger(page) || page < 1 || page > MOST_PAGES)
    throw refusal('page', `must be from 1 to ${MOST_PAGES}; the file has every row`);
  const end = page * PAGE_ROWS;
  const compare = sort === undefined ? undefined : byColumn(sort, isDescending);
  let kept: ListRow[] = [];
  let total = 0;
  const visitsByDag = new Map<string, Record<VisitState, number>>();
  const { dag, state, ...others } = request;
  for await (const row of open(kind === 'due' ? others : request)) {
    if (row.state !== undefined) {
      const counts = visitsByDag.get(row.dag) ?? { overdue: 0, thisWeek: 0, coming: 0 };
      counts[row.state] += 1;
      visitsByDag.set(row.dag, counts);
      if ((dag !== undefined && row.dag !== dag) || (state !== undefined && row.state !== state)) continue;
    }
    total += 1;
    if (compare === undefined && total > end) continue;
    kept.push(row);
    if (compare !== undefined && kept.length >= 2 * end) kept = kept.sort(compare).slice(0, end);
  }
  if (compare !== undefined) kept.sort(compare);
  return { rows: kept.slice(end - PAGE_ROWS, end), total, visitsByDag };
}
