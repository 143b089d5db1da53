const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a formatted number, such as `12,500`. `1985` stays as it is, because it may be a year. */
export function numberInWords(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 3, useGrouping: 'min2' });
}

/** Returns a count with its noun, such as `1 record` or `12,500 records`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${numberInWords(value)} ${value === 1 ? one : many}`;
}

/** Returns the month of a date: `Oct` for `2026-10-01`. */
export function monthOf(day: string): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? '';
}

/** Returns the date as shown in a plot: `26 Oct` for `2026-10-26`. */
export function dayOf(day: string): string {
  return `${Number(day.slice(8, 10))} ${monthOf(day)}`;
}
