/** The order of day, month and year in an import. @see docs/protocol/redcap.md 5.1 (doc) */
export type DateOrder = 'YMD' | 'MDY' | 'DMY';

/**
 * Converts a date to the stored form `YYYY-MM-DD` and keeps a time after it. A value that is not a date in the given
 * order is returned in a form that fails validation.
 *
 * @see docs/protocol/redcap.md 5.1 (doc), 5.2 (client): both separators are accepted
 */
export function normaliseDate(value: string, order: DateOrder): string {
  // `2022-01-21` is accepted with every order. @see docs/protocol/redcap.md 20 (client)
  if (order === 'YMD' || /^\d{4}-\d{2}-\d{2}/.test(value))
    return value.replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3');
  const [, first, second, year, rest = ''] = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(.*)$/.exec(value) ?? [];
  if (first === undefined || second === undefined || year === undefined) return `not ${order}: ${value}`;
  const [month, day] = order === 'MDY' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}`;
}
