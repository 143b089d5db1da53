const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const PLAIN = new Intl.NumberFormat('en', {
  maximumFractionDigits: 3,
  useGrouping: 'min2',
  signDisplay: 'negative', // no `-0`
});
const SMALL = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const [LEAST, GREATEST] = [1e-4, 1e12];

/**
 * Returns a formatted number, such as `12,500`. `1985` stays as it is, because it may be a year. Numbers too small or too
 * large for that are returned with a power of ten, such as `2.5e-9`.
 */
export function numberInWords(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < LEAST || size >= GREATEST))
    return Number(value.toPrecision(4)).toExponential().replace('+', '');
  return size !== 0 && size < 0.1 ? SMALL.format(value) : PLAIN.format(value);
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
