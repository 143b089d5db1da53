import { nodesOf, type Call, type LogicNode } from './syntax.js';
import { isTrue, numberOrBlank, type LogicFunction, type LogicValue } from './values.js';

const DAY_MS = 86_400_000;
const YEAR_MS = 365.2425 * DAY_MS;

/** Case-sensitive: `M` is a month, `m` a minute. @see docs/protocol/redcap.md 7.4 (doc) */
const UNIT_MS: Readonly<Record<string, number>> = {
  y: YEAR_MS,
  M: 30.44 * DAY_MS,
  d: DAY_MS,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};

/** The date as REDCap stores it, whatever the order in which its field shows it. */
const STORED = /^(?<year>\d{4})[-/](?<month>\d{2})[-/](?<day>\d{2})(?:[ T](?<time>.+))?$/;
const SHOWN: Readonly<Record<string, RegExp>> = {
  mdy: /^(?<month>\d{1,2})[-/.](?<day>\d{1,2})[-/.](?<year>\d{4})(?: (?<time>.+))?$/,
  dmy: /^(?<day>\d{1,2})[-/.](?<month>\d{1,2})[-/.](?<year>\d{4})(?: (?<time>.+))?$/,
};
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/**
 * Returns a date and time in milliseconds, as if all times were UTC; blank if the value is not a date, and undefined if
 * it is one whose order is not known, or not the given one.
 *
 * @param order that of dates that are not as REDCap stores them: `mdy` or `dmy`
 */
function momentOf(value: LogicValue, now: Date, order = 'ymd'): number | '' | undefined {
  const text = `${value}`.trim();
  if (isClock(text)) return text.toLowerCase() === 'now' ? now.getTime() : startOfDay(now);
  const stored = STORED.exec(text)?.groups;
  if (stored !== undefined) return momentIn(stored) ?? '';
  if (SHOWN['mdy']?.test(text) !== true) return '';
  const shown = SHOWN[order]?.exec(text)?.groups;
  return shown && momentIn(shown);
}

function momentIn({ year, month, day, time = '00:00' }: Partial<Record<string, string>>): number | undefined {
  const [, hour = NaN, minute = NaN, second = 0] = (TIME.exec(time) ?? []).map((part) => Number(part || 0));
  const date = new Date(0);
  // Date.UTC would treat the year 99 as 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const doesExist = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!doesExist || !(hour < 24 && minute < 60 && second < 60)) return undefined;
  return date.setUTCHours(hour, minute, second);
}

const startOfDay = (now: Date): number => Math.floor(now.getTime() / DAY_MS) * DAY_MS;

const isClock = (text: string): boolean => /^(?:today|now)$/i.test(text);

/** Returns whether the result of logic depends on when it is evaluated: it reads `'today'` or `'now'`. */
export function readsClock(tree: LogicNode): boolean {
  return [...nodesOf(tree)].some(
    (node) =>
      (node.kind === 'text' && isClock(node.value.trim())) ||
      (node.kind === 'call' && node.name === 'age_at_date' && node.arguments.length === 1),
  );
}

/** Returns the dates of a call whose order of day, month and year is not known, so that it is not evaluated. */
export function unknownDates({ name, arguments: given }: Call): LogicNode[] {
  if (!Object.hasOwn(DATE_FUNCTIONS, name)) return [];
  const format = name === 'datediff' && given[3]?.kind === 'text' ? orderOf(given[3].value) : undefined;
  return given
    .slice(0, 2)
    .filter((node) => node.kind === 'text' && momentOf(node.value, new Date(0), format) === undefined);
}

/** Returns the date format that precedes the flag for signed results in older logic. */
function orderOf(argument: LogicValue | undefined): string | undefined {
  return /^(?:ymd|mdy|dmy)$/i.exec(`${argument ?? ''}`.trim())?.[0].toLowerCase();
}

function isOn(flag: LogicValue | undefined): boolean {
  return flag !== undefined && isTrue(flag) && `${flag}`.toLowerCase() !== 'false';
}

const datediff: LogicFunction['apply'] = ([first = '', second = '', unit = '', ...rest], { now }) => {
  const order = orderOf(rest[0]);
  const [from, to] = [momentOf(first, now, order), momentOf(second, now, order)];
  const unitMs = Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined;
  if (from === '' || to === '' || unitMs === undefined) return '';
  if (from === undefined || to === undefined) return undefined;
  const difference = (to - from) / unitMs;
  return numberOrBlank(isOn(order === undefined ? rest[0] : rest[1]) ? difference : Math.abs(difference));
};

const ageAtDate: LogicFunction['apply'] = ([birth = '', date = 'today', decimal], { now }) => {
  const [born, at] = [momentOf(birth, now), momentOf(date, now)];
  if (born === '' || at === '') return '';
  if (born === undefined || at === undefined) return undefined;
  if (isOn(decimal)) return numberOrBlank((at - born) / YEAR_MS);
  const [from, to] = [new Date(born), new Date(at)];
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  const birthday = new Date(at);
  birthday.setUTCMonth(from.getUTCMonth(), from.getUTCDate());
  birthday.setUTCHours(0, 0, 0, 0);
  return to < birthday ? years - 1 : years;
};

function partOfDate(read: (date: Date) => number): LogicFunction {
  return {
    arity: [1, 1],
    apply: ([value = ''], { now }) => {
      const moment = momentOf(value, now);
      return typeof moment === 'number' ? read(new Date(moment)) : moment;
    },
  };
}

/** @see docs/protocol/redcap.md 7.4 (doc), group dates */
export const DATE_FUNCTIONS: Readonly<Record<string, LogicFunction>> = {
  datediff: { arity: [3, 5], apply: datediff },
  age_at_date: { arity: [1, 3], apply: ageAtDate },
  dayoftheweek: partOfDate((date) => date.getUTCDay() || 7),
  year: partOfDate((date) => date.getUTCFullYear()),
  month: partOfDate((date) => date.getUTCMonth() + 1),
  day: partOfDate((date) => date.getUTCDate()),
};
