import type { StudyFilter } from '../../services/summary/chosen-records.js';
import { partsOfAddress } from './list-address.js';

/** The reader's choices on the dashboard. They are part of the URL, so that it can be bookmarked and shared. */
export interface DashboardChoice {
  readonly interval: 'month' | 'week';
  readonly field: string | undefined;
  readonly by: 'site' | 'arm' | undefined;
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
