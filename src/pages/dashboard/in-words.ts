const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @returns the number as people read it: `12,500`, but `1985`, which may be a year */
export function numberInWords(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 3, useGrouping: 'min2' });
}

/** @returns `1 record`, `12,500 records` */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${numberInWords(value)} ${value === 1 ? one : many}`;
}

/** @returns the month of a day: `Oct` of `2026-10-01` */
export function monthOf(day: string): string {
  return MONTHS[Number(day.slice(5, 7)) - 1] ?? '';
}

/** @returns the day as a plot shows it: `26 Oct` of `2026-10-26` */
export function dayOf(day: string): string {
  return `${Number(day.slice(8, 10))} ${monthOf(day)}`;
}
