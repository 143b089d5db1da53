import type { RecruitmentPeriod } from './study-summary.js';
import type { StudyOptions } from './study-options.js';

const DAY_MS = 86_400_000;
/** Days further from today are taken for mistyped: 1026 must not result in a plot of a thousand years. */
const [YEARS_BACK, YEARS_AHEAD] = [100, 10];

/** How days are grouped into periods. */
export interface Interval {
  /** Returns the first day of the period that contains a day. */
  startOf(day: string): string;
  /** Returns the first day of the following period. */
  next(start: string): string;
}

export const MONTHS: Interval = {
  startOf: (day) => `${day.slice(0, 7)}-01`,
  next: (start) => {
    const date = new Date(start);
    date.setUTCMonth(date.getUTCMonth() + 1);
    return dayOf(date.getTime());
  },
};

/** ISO weeks, which begin on Monday. */
export const WEEKS: Interval = {
  startOf: (day) => {
    const date = new Date(day);
    return dayOf(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS);
  },
  next: (start) => dayOf(Date.parse(start) + 7 * DAY_MS),
};

/**
 * Counts records by period, without gaps. The periods reach from the first record, or from the planned start if that is
 * earlier, to the last record. If the planned end is after the last record, they continue to the planned end or to
 * today, whichever is earlier. Days more than a century ago or more than ten years ahead are left out.
 *
 * @param byDay records by day; the empty string stands for no day
 * @param today `YYYY-MM-DD`
 */
export function recruitmentBy(
  interval: Interval,
  byDay: ReadonlyMap<string, number>,
  plan: StudyOptions,
  today: string,
): RecruitmentPeriod[] {
  const [earliest, latest] = [yearsFrom(today, -YEARS_BACK), yearsFrom(today, YEARS_AHEAD)];
  const isLikely = (day: string): boolean =>
    day >= earliest && day <= latest && !Number.isNaN(Date.parse(day));
  const days = [...byDay.keys()].filter(isLikely).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];

  const counts = new Map<string, number>();
  for (const day of days) {
    const start = interval.startOf(day);
    counts.set(start, (counts.get(start) ?? 0) + (byDay.get(day) ?? 0));
  }
  const until =
    [last, ...(plan.end === undefined ? [] : [plan.end < today ? plan.end : today])].sort().at(-1) ?? last;
  const periods: RecruitmentPeriod[] = [];
  let cumulated = 0;
  const isPlannedEarlier = plan.start !== undefined && plan.start < first && isLikely(plan.start);
  let start = interval.startOf(isPlannedEarlier ? plan.start : first);
  while (start <= until) {
    const records = counts.get(start) ?? 0;
    cumulated += records;
    const next = interval.next(start);
    periods.push({ start, records, cumulated, hoped: hopedBy(next, plan) });
    start = next;
  }
  return periods;
}

/**
 * Returns the number of records planned before a day, on a straight line from the planned start to the target; null
 * without a plan.
 */
export function hopedBy(day: string, { start, end, target }: StudyOptions): number | null {
  if (start === undefined || end === undefined || target === undefined) return null;
  const [from, to] = [Date.parse(start), Date.parse(end) + DAY_MS];
  const share = Math.min(1, Math.max(0, (Date.parse(day) - from) / Math.max(DAY_MS, to - from)));
  return Math.round(target * share * 10) / 10;
}

function yearsFrom(day: string, years: number): string {
  return `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
