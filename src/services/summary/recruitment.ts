import type { RecruitmentPeriod } from './study-summary.js';
import type { StudyOptions } from './study-options.js';

const DAY_MS = 86_400_000;
/** A century of weeks: a date of 1026 is a mistake, and must not make a plot of a thousand years. */
const MOST_PERIODS = 5_200;

/** How days are put together. */
export interface Interval {
  /** The first day of the period a day is in. */
  startOf(day: string): string;
  /** The first day of the period behind. */
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
 * Records by period, without gaps, from the first record (or the planned start) to the last one (or the planned end, while it
 * lies ahead of the last record and not further than today).
 *
 * @param byDay records by day; the empty text is no day
 * @param today `YYYY-MM-DD`
 */
export function recruitmentBy(
  interval: Interval,
  byDay: ReadonlyMap<string, number>,
  plan: StudyOptions,
  today: string,
): RecruitmentPeriod[] {
  const days = [...byDay.keys()].filter((day) => !Number.isNaN(Date.parse(day))).sort();
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
  let start = interval.startOf(plan.start !== undefined && plan.start < first ? plan.start : first);
  while (start <= until && periods.length < MOST_PERIODS) {
    const records = counts.get(start) ?? 0;
    cumulated += records;
    const behind = interval.next(start);
    periods.push({ start, records, cumulated, hoped: hopedBy(behind, plan) });
    start = behind;
  }
  return periods;
}

/** The straight line from the planned start to the target. @returns records hoped for before a day; null without a plan */
export function hopedBy(day: string, { start, end, target }: StudyOptions): number | null {
  if (start === undefined || end === undefined || target === undefined) return null;
  const [from, to] = [Date.parse(start), Date.parse(end) + DAY_MS];
  const share = Math.min(1, Math.max(0, (Date.parse(day) - from) / Math.max(DAY_MS, to - from)));
  return Math.round(target * share * 10) / 10;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
