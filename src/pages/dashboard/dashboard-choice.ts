/** What a reader chose on the dashboard. It stands in the address, so that it can be kept and sent. */
export interface DashboardChoice {
  readonly interval: 'month' | 'week';
  readonly field: string | undefined;
  readonly by: 'site' | 'arm' | undefined;
}

/** @returns the choice as a query, `?interval=week&field=age`, without what is at its default; empty for nothing */
export function queryOf({ interval, field, by }: Partial<DashboardChoice>): string {
  const query = new URLSearchParams({
    ...(interval === 'week' && { interval }),
    ...(field !== undefined && { field }),
    ...(by !== undefined && { by }),
  }).toString();
  return query === '' ? '' : `?${query}`;
}
