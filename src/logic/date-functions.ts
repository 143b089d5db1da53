import { nodesOf, type LogicNode } from './syntax.js';
import type { LogicFunction } from './function-types.js';
import { isTrue, numberOrBlank, type LogicValue } from './values.js';

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

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?: (\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** Returns a date and time in milliseconds, as if all times were UTC; undefined if the value is not a date. */
function momentOf(value: LogicValue, now: Date): number | undefined {
  const text = `${value}`.trim();
  if (text === 'now') return now.getTime();
  if (text === 'today') return Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const parts = MOMENT.exec(text)
    ?.slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  if (parts === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const date = new Date(0);
  // Date.UTC would treat the year 99 as 1999.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const doesExist = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return doesExist && hour < 24 && minute < 60 && second < 60 ? date.getTime() : undefined;
}

/** Returns whether the result of logic depends on when it is evaluated: it reads `'today'` or `'now'`. */
export function readsClock(tree: LogicNode): boolean {
  return [...nodesOf(tree)].some(
    (node) =>
      (node.kind === 'text' && ['today', 'now'].includes(node.value.trim())) ||
      (node.kind === 'call' && node.name === 'age_at_date' && node.arguments.length === 1),
  );
}

function isOn(flag: LogicValue | undefined): boolean {
  return flag !== undefined && isTrue(flag) && `${flag}`.toLowerCase() !== 'false';
}

const datediff: LogicFunction['apply'] = ([first = '', second = '', unit = '', ...rest], { now }) => {
  const [from, to] = [momentOf(first, now), momentOf(second, now)];
  const unitMs = Object.hasOwn(UNIT_MS, unit) ? UNIT_MS[unit] : undefined;
  if (from === undefined || to === undefined || unitMs === undefined) return '';
  // In older logic a date format precedes the flag for signed results.
  const isSigned = isOn(/^[ymd]{3}$/.test(`${rest[0] ?? ''}`) ? rest[1] : rest[0]);
  const difference = (to - from) / unitMs;
  return numberOrBlank(isSigned ? difference : Math.abs(difference));
};

const ageAtDate: LogicFunction['apply'] = ([birth = '', date = 'today', decimal], { now }) => {
  const [born, at] = [momentOf(birth, now), momentOf(date, now)];
  if (born === undefined || at === undefined) return '';
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
      return moment === undefined ? '' : read(new Date(moment));
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
