import type { Recruitment, RecruitmentPeriod } from './study-summary.js';

/** Whether a count refers to somebody, but to fewer than `threshold`. Zero does not. */
export function isSmall(count: number, threshold: number): boolean {
  return count > 0 && count < threshold;
}

/**
 * Omits counts from a list whose total is known: the small ones, and as many others, smallest first, as it takes for the
 * omitted ones to be at least two and at least `threshold` together. Zeros remain, unless they would tell that each
 * omitted count is one. If all together are fewer than `threshold`, nothing remains.
 */
export function withoutSmall(counts: readonly number[], threshold: number): (number | null)[] {
  const bySize = counts
    .map((count, index) => ({ count, index }))
    .sort((one, other) => rank(one.count) - rank(other.count));
  const hidden = new Set<number>();
  let sum = 0;
  for (const { count, index } of bySize) {
    const isEnough = hidden.size > 1 && sum >= threshold && sum > counts.length;
    const areNoneSmall = hidden.size === 0 && !isSmall(count, threshold);
    if (!isSmall(count, threshold) && (isEnough || areNoneSmall)) break;
    hidden.add(index);
    sum += count;
  }
  return counts.map((count, index) => (hidden.has(index) ? null : count));
}

/** Zeros come last. */
function rank(count: number): number {
  return count === 0 ? Number.MAX_SAFE_INTEGER : count;
}

/**
 * Merges months so that every sum that is told, and every difference of two, is either 0 or at least `threshold`: a
 * cumulated count is omitted until there are enough records since the last one. The records without a date come last,
 * because with all others they are the records of the study. What is left at the end is merged into what precedes it.
 */
export function recruitmentWithoutSmall(recruitment: Recruitment, threshold: number): Recruitment {
  const { months, undated } = recruitment;
  const last: RecruitmentPeriod = { start: '', records: undated, cumulated: null, hoped: null };
  const told = groupsOf(undated === 0 ? months : [...months, last], threshold).flatMap((group) =>
    group.map((period, index) => ({
      ...period,
      records: group.length === 1 ? period.records : null,
      cumulated: index === group.length - 1 ? period.cumulated : null,
    })),
  );
  return {
    ...recruitment,
    months: told.slice(0, months.length),
    undated: undated === 0 ? 0 : (told.at(-1)?.records ?? null),
    weeks: [],
  };
}

function groupsOf(periods: readonly RecruitmentPeriod[], threshold: number): RecruitmentPeriod[][] {
  const groups: RecruitmentPeriod[][] = [];
  let open: RecruitmentPeriod[] = [];
  const isOpenSmall = (): boolean =>
    isSmall(
      open.reduce((sum, { records }) => sum + (records ?? 0), 0),
      threshold,
    );
  for (const period of periods) {
    open.push(period);
    if (isOpenSmall()) continue;
    groups.push(open);
    open = [];
  }
  while (isOpenSmall() && groups.length > 0) open = [...(groups.pop() ?? []), ...open];
  return open.length === 0 ? groups : [...groups, open];
}
