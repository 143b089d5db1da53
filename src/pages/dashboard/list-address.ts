import type { ListedStatus } from '../../services/summary/listed-forms.js';
import type { CompletenessCell } from '../../services/summary/study-summary.js';
import { FORM_STATUSES } from '../../services/summary/form-counts.js';
import { VISIT_STATES } from '../../services/summary/due-visits.js';
import type { StudyFilter } from '../../services/summary/chosen-records.js';
import type { ListFilter } from '../../services/summary/list-filter.js';
import { LIST_COLUMNS, type ListKind } from '../../services/summary/list-rows.js';
import type { ListPageRequest } from '../../services/summary/list-page.js';
import { QUALITY_RULES } from '../../records/rules/quality-finding.js';

/** Returns the address of a list, or of its file. Its filter is part of the address, so that it can be shared. */
export function listAddress(kind: ListKind, request: ListPageRequest = {}, file = ''): string {
  const { statuses, sort, isDescending, page, ...selected } = request;
  const { instrument, event, arm, dag, state, rule, changedFrom, from, until, record } = selected;
  const parts = { instrument, event, arm, dag, state, rule, changedFrom, from, until, record };
  const query = new URLSearchParams(partsOfAddress(parts));
  for (const status of statuses ?? []) query.append('status', status);
  if (sort !== undefined) query.append('sort', isDescending === true ? `-${sort}` : sort);
  if (page !== undefined && page > 1) query.append('page', String(page));
  const text = query.toString();
  return `/dashboard/${kind}${file}${text === '' ? '' : `?${text}`}`;
}

/** Returns the address of the list of an instrument, at one event or at all of them. */
export function formsList(
  { instrument, event }: Pick<CompletenessCell, 'instrument'> & Partial<Pick<CompletenessCell, 'event'>>,
  statuses: readonly ListedStatus[],
  filter: StudyFilter = {},
): string {
  return listAddress('forms', { ...filter, instrument, ...(event && { event }), statuses });
}

/** Returns the parts of a filter as they stand in an address; what is undefined is left out. */
export function partsOfAddress(
  parts: Readonly<Record<string, string | number | undefined>>,
): Record<string, string> {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value === '' ? NO_DAG : String(value)]));
}

/**
 * Reads the filter of a list from the query of its address. What is blank selects everything, because a form of a page
 * sends every field; a data access group is `-` for records without one.
 */
export function readListAddress(kind: ListKind, query: Readonly<Record<string, unknown>>): ListPageRequest {
  const one = (name: string): string | undefined => {
    const value = query[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const numberOf = (name: string): number | undefined => {
    const text = one(name);
    return text === undefined ? undefined : Number(text);
  };
  const statuses = FORM_STATUSES.filter((status) => [query['status']].flat().includes(status));
  const sort = one('sort');
  const column = LIST_COLUMNS[kind].find((name) => name === sort?.replace(/^-/, ''));
  return {
    instrument: one('instrument'),
    event: one('event'),
    arm: numberOf('arm'),
    dag: typeof query['dag'] === 'string' && query['dag'] === NO_DAG ? '' : one('dag'),
    state: VISIT_STATES.find((state) => state === query['state']),
    rule: QUALITY_RULES.find((rule) => rule === query['rule']),
    changedFrom: kind === 'findings' ? one('changedFrom') : undefined,
    statuses: statuses.length === 0 ? undefined : statuses,
    from: one('from'),
    until: one('until'),
    record: one('record'),
    sort: column,
    isDescending: sort?.startsWith('-') ?? false,
    page: numberOf('page'),
  };
}

/** The name of the records without a data access group in an address. No group can have it: `-` is not in their names. */
export const NO_DAG = '-';

/** Reads the filter of the dashboard, which its lists have too. */
export function readStudyFilter(query: Readonly<Record<string, unknown>>): StudyFilter {
  const { dag, arm, event, from, until } = readListAddress('records', query);
  return { dag, arm, event, from, until };
}

/** Returns a name for the file of a list without its ending, such as `trial-2026-medication-not-begun-2026-11-23`. */
export function listFileName(
  title: string,
  kind: ListKind,
  { instrument, event, dag, state, rule, changedFrom, statuses = [] }: ListFilter,
  day: string,
): string {
  const isDue = kind === 'due';
  const parts = [
    title,
    instrument ?? (isDue ? undefined : kind),
    event,
    dag === '' ? 'no-dag' : dag,
    ...(isDue ? [state ?? 'due'] : [...statuses, rule, changedFrom && `from-${changedFrom.slice(0, 10)}`]),
    day,
  ];
  return fileNameOf(parts);
}

/** Returns what a file is as its name, without an ending. */
export function fileNameOf(parts: readonly (string | undefined)[]): string {
  const words = parts.flatMap((part) => (part === undefined ? [] : [slugOf(part)]));
  return words.filter((word) => word !== '').join('-');
}

function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

/** The reader's choices on the dashboard. They are part of the URL, so that it can be bookmarked and shared. */
export interface DashboardChoice {
  readonly interval: 'month' | 'week';
  readonly field: string | undefined;
  readonly by: 'dag' | 'arm' | undefined;
  readonly filter: StudyFilter;
}

/**
 * Returns the choices as a query, such as `?interval=week&field=age`, without default values; empty if all are default.
 */
export function queryOf({ interval, field, by, filter = {} }: Partial<DashboardChoice>): string {
  const query = new URLSearchParams(
    partsOfAddress({ interval: interval === 'week' ? interval : undefined, field, by, ...filter }),
  ).toString();
  return query === '' ? '' : `?${query}`;
}
