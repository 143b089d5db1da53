export type DateOrder = 'YMD' | 'MDY' | 'DMY';

/**
 * Writes a date as it is stored, `YYYY-MM-DD`, with the time behind it as it was. What is no date of the order in force
 * comes back as it is, and fails its validation.
 *
 * @see docs/protocol/redcap.md 5.1 (doc), 5.2 (client): both separators pass
 */
export function normaliseDate(value: string, order: DateOrder): string {
  // `2022-01-21` passes with every order. @see docs/protocol/redcap.md 20 (client)
  if (order === 'YMD' || /^\d{4}-\d{2}-\d{2}/.test(value))
    return value.replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3');
  const [, first, second, year, rest = ''] = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(.*)$/.exec(value) ?? [];
  if (first === undefined || second === undefined || year === undefined) return `not ${order}: ${value}`;
  const [month, day] = order === 'MDY' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}`;
}
