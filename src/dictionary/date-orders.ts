/** The order of day, month and year in a date. */
export type DateOrder = 'YMD' | 'MDY' | 'DMY';

const ORDERED = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?: (\d{1,2}):(\d{2})(:\d{2})?)?$/;

/**
 * Converts a date, or a date and time, from another order to the stored one: `31/1/2026 9:05` to `2026-01-31 09:05`. A
 * text in no such form is returned unchanged; `2026-01-31` is accepted with every order.
 *
 * @see docs/protocol/redcap.md 5.1 (doc), 20 (client)
 */
export function toStoredDate(text: string, order: DateOrder): string {
  const [, first, second, year, hour, minute, seconds = ''] = ORDERED.exec(text) ?? [];
  if (order === 'YMD' || first === undefined || second === undefined || year === undefined) return text;
  const [month, day] = order === 'MDY' ? [first, second] : [second, first];
  const time =
    hour === undefined || minute === undefined ? '' : ` ${hour.padStart(2, '0')}:${minute}${seconds}`;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`;
}

const FORMS = { YMD: 'YYYY-MM-DD', MDY: 'MM/DD/YYYY', DMY: 'DD/MM/YYYY' } as const;

/** Returns a rule about dates in the given order, from one about stored dates. */
export function ruleInOrder(rule: string, order: DateOrder): string {
  return rule.replace(FORMS.YMD, FORMS[order]);
}
