import type { FunctionContext, LogicFunction } from './function-types.js';
import { fromNumber, isTruthy, type LogicValue } from './values.js';

const SECOND = 1000;
const DAY = 86_400 * SECOND;

/** Units of `datediff`; `M` is a month, `m` a minute. @see docs/protocol/redcap.md 7.4 (doc) */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['y', 365.2425 * DAY],
  ['M', 30.44 * DAY],
  ['d', DAY],
  ['h', 3600 * SECOND],
  ['m', 60 * SECOND],
  ['s', SECOND],
]);

/**
 * @returns the time in milliseconds; undefined if the value is not a date. `'today'` and `'now'` use the server's
 * clock.
 */
function toMoment(
  value: LogicValue | undefined,
  { now }: FunctionContext,
  format = 'ymd',
): number | undefined {
  const given = String(value ?? '').trim();
  if (/^now$/i.test(given)) return now().getTime();
  if (/^today$/i.test(given)) return Math.floor(now().getTime() / DAY) * DAY;
  const text = inStoredOrder(given, format);
  const [, date, time = '00:00', seconds = ':00'] =
    /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2})(:\d{2})?)?$/.exec(text) ?? [];
  if (date === undefined) return undefined;
  const moment = new Date(`${date}T${time}${seconds}Z`);
  // JavaScript reads February 30 as March 2.
  const doesExist = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${date}T${time}`);
  return doesExist ? moment.getTime() : undefined;
}

/** Returns a date that is written in the given format as REDCap stores it; other texts unchanged. */
function inStoredOrder(text: string, format: string): string {
  if (/^\d{4}\//.test(text)) return text.replaceAll('/', '-');
  const [, first = '', second = '', year, rest = ''] =
    /^(\d\d?)[-/.](\d\d?)[-/.](\d{4})(.*)$/.exec(text) ?? [];
  if (year === undefined || format === 'ymd') return text;
  const [month, day] = format === 'mdy' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}`;
}

/** Whether an optional flag is set: `true` or `1`, quoted or not. */
function isOn(flag: LogicValue | undefined): boolean {
  return flag !== undefined && isTruthy(flag) && String(flag).toLowerCase() !== 'false';
}

function difference(given: readonly LogicValue[], context: FunctionContext): LogicValue {
  const [first, second, unit = '', ...rest] = given;
  const format = /^(?:ymd|mdy|dmy)$/i.exec(String(rest[0] ?? '').trim())?.[0].toLowerCase();
  const [from, to] = [toMoment(first, context, format), toMoment(second, context, format)];
  const unitMs = UNITS.get(String(unit));
  if (from === undefined || to === undefined || unitMs === undefined) return '';
  // Older logic passes a date format (`'ymd'`) before the flag for signed differences.
  const signed = format === undefined ? rest[0] : rest[1];
  const value = (to - from) / unitMs;
  return fromNumber(isOn(signed) ? value : Math.abs(value));
}

function ageAt(given: readonly LogicValue[], context: FunctionContext): LogicValue {
  const [born, at] = [toMoment(given[0], context), toMoment(given[1] ?? 'today', context)];
  if (born === undefined || at === undefined) return '';
  const years = (at - born) / (365.2425 * DAY);
  return isOn(given[2]) ? fromNumber(years) : fullYears(new Date(born), new Date(at));
}

function fullYears(born: Date, at: Date): number {
  const years = at.getUTCFullYear() - born.getUTCFullYear();
  const birthday = Date.UTC(at.getUTCFullYear(), born.getUTCMonth(), born.getUTCDate());
  return at.getTime() < birthday ? years - 1 : years;
}

/** Returns a function that reads one part of a date as a number. */
function part(read: (date: Date) => number): LogicFunction {
  return {
    arity: [1, 1],
    apply: (given, context) => {
      const moment = toMoment(given[0], context);
      return moment === undefined ? '' : read(new Date(moment));
    },
  };
}

/** The functions of dates, by name. @see docs/protocol/redcap.md 7.4 (doc) */
export const dateFunctions: readonly (readonly [string, LogicFunction])[] = [
  ['datediff', { arity: [3, 5], apply: difference }],
  ['age_at_date', { arity: [1, 3], apply: ageAt }],
  ['dayoftheweek', part((date) => date.getUTCDay() || 7)],
  ['year', part((date) => date.getUTCFullYear())],
  ['month', part((date) => date.getUTCMonth() + 1)],
  ['day', part((date) => date.getUTCDate())],
];
