/** The reader's choices on the dashboard. They are part of the URL, so that it can be bookmarked and shared. */
export interface DashboardChoice {
  readonly interval: 'month' | 'week';
  readonly field: string | undefined;
  readonly by: 'site' | 'arm' | undefined;
}

/**
 * Returns the choices as a query, such as `?interval=week&field=age`, without default values; empty if all are default.
 */
export function queryOf({ interval, field, by }: Partial<DashboardChoice>): string {
  const query = new URLSearchParams({
    ...(interval === 'week' && { interval }),
    ...(field !== undefined && { field }),
    ...(by !== undefined && { by }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}
