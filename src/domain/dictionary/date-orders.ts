import { say, type Sentence } from '../errors/sentences.js';
import { isTextOf } from './text-validations.js';

/** The orders of day, month and year in a date. */
export const DATE_ORDERS = ['YMD', 'MDY', 'DMY'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

const ORDERED = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?: (\d{1,2}):(\d{2})(:\d{2})?)?$/;

/** Where year, month and day stand in each order. */
const PLACES = { YMD: [0, 1, 2], MDY: [2, 0, 1], DMY: [2, 1, 0] } as const;

/**
 * Converts a date, or a date and time, from an order to the stored one: `31/1/2026 9:05` and `31.1.2026 9:05` to
 * `2026-01-31 09:05`. A text in no such form is returned unchanged; `2026-01-31` is accepted with every order.
 *
 * @param century the century of years of two digits, such as 2000; without it they are not converted
 * @see docs/protocol/redcap.md 5.1 (doc), 20 (client)
 */
export function toStoredDate(text: string, order: DateOrder, century?: number): string {
  const [, first = '', , second = '', third = '', hour, minute, seconds = ''] = ORDERED.exec(text) ?? [];
  const parts = [first, second, third] as const;
  const [yearAt, monthAt, dayAt] = PLACES[order];
  const [year, month, day] = [parts[yearAt], parts[monthAt], parts[dayAt]];
  const isShort = year.length === 2 && century !== undefined;
  if ((year.length !== 4 && !isShort) || month.length > 2 || day.length > 2) return text;
  const time =
    hour === undefined || minute === undefined ? '' : ` ${hour.padStart(2, '0')}:${minute}${seconds}`;
  const whole = isShort ? String(century + Number(year)) : year;
  return `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${time}`;
}

/**
 * Returns the orders in which a text that is no date in the order of its import would be one; of a year of two digits
 * the century is not known then.
 */
export function ordersOf(text: string): { orders: DateOrder[]; needsCentury: boolean } {
  const found = (century?: number): DateOrder[] =>
    DATE_ORDERS.filter((order) => isTextOf('date_ymd', toStoredDate(text, order, century).slice(0, 10)));
  const orders = found();
  return orders.length > 0 ? { orders, needsCentury: false } : { orders: found(2000), needsCentury: true };
}

const FORMS = { YMD: 'YYYY-MM-DD', MDY: 'MM/DD/YYYY', DMY: 'DD/MM/YYYY' } as const;

/** Returns a rule about dates in the given order, from one about stored dates. */
export function ruleInOrder({ code, parameters }: Sentence, order: DateOrder): Sentence {
  const form = String(parameters['form']).replace(FORMS.YMD, FORMS[order]);
  return say(code === 'datetime' ? 'datetime' : 'date', { form });
}
