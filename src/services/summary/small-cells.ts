import type {
  CompletenessCell,
  MissingField,
  RecruitmentPeriod,
  SiteCount,
  StudySummary,
} from './study-summary.js';

/**
 * Omits small counts from a list whose total is known: those from 1 to below `threshold`, and as many others as needed
 * so that the omitted counts cannot be derived from the total and the rest. Zeros remain.
 */
export function withoutSmall(counts: readonly number[], threshold: number): (number | null)[] {
  const hidden = new Set<number>();
  counts.forEach((count, index) => isSmall(count, threshold) && hidden.add(index));
  if (hidden.size === 0) return [...counts];
  const bySize = counts
    .map((count, index) => ({ count, index }))
    .filter(({ count, index }) => count > 0 && !hidden.has(index))
    .sort((one, other) => one.count - other.count);
  const sum = (): number => [...hidden].reduce((total, index) => total + (counts[index] ?? 0), 0);
  while ((hidden.size < 2 || sum() < threshold) && bySize.length > 0) hidden.add(bySize.shift()?.index ?? -1);
  return counts.map((count, index) => (hidden.has(index) ? null : count));
}

/** Returns the summary for a caller who may not read records. No count refers to fewer than `threshold` people. */
export function withoutSmallCells(summary: StudySummary, threshold: number): StudySummary {
  const { recruitment } = summary;
  // With fewer records than that, no count can be shown.
  if (summary.records !== null && summary.records < threshold) return withoutAny(summary, threshold);
  const dated = recruitment.months.at(-1)?.cumulated ?? 0;
  const [undated = null] = withoutSmall([recruitment.undated ?? 0, dated], threshold);
  return {
    ...summary,
    smallCell: threshold,
    recruitment: {
      ...recruitment,
      undated,
      months: mergedPeriods(recruitment.months, threshold, undated === null),
      weeks: [],
    },
    sites: protectedSites(summary.sites, threshold),
    completeness: summary.completeness.map((cell) => protectedCell(cell, threshold)),
    missing: summary.missing.map((field) => protectedField(field, threshold)),
    missingPercent: summary.missingPercent === null ? null : Math.round(summary.missingPercent),
  };
}

function withoutAny(summary: StudySummary, threshold: number): StudySummary {
  const { recruitment, completeness, missing } = summary;
  return {
    ...summary,
    smallCell: threshold,
    records: summary.records === 0 ? 0 : null,
    recruitment: { ...recruitment, undated: null, months: [], weeks: [] },
    sites: [],
    completeness: completeness.map((cell) => ({ ...cell, ...NO_COUNTS })),
    missing: missing.map((field) => ({ ...field, shown: null, missing: null, percent: null })),
    missingPercent: null,
  };
}

const NO_COUNTS = { records: null, complete: null, unverified: null, incomplete: null, notBegun: null };

/**
 * Merges periods so that every shown sum is either 0 or at least `threshold`: a cumulated count is omitted until there
 * are enough records since the last one shown. The rest at the end is merged into the previous group.
 *
 * @param isTotalHidden whether the sum of all periods must also be omitted
 */
function mergedPeriods(
  periods: readonly RecruitmentPeriod[],
  threshold: number,
  isTotalHidden: boolean,
): RecruitmentPeriod[] {
  const groups: RecruitmentPeriod[][] = [];
  let open: RecruitmentPeriod[] = [];
  const sumOf = (group: readonly RecruitmentPeriod[]): number =>
    group.reduce((sum, { records }) => sum + (records ?? 0), 0);
  for (const period of periods) {
    open.push(period);
    const sum = sumOf(open);
    if (sum === 0 || sum >= threshold) {
      groups.push(open);
      open = [];
    }
  }
  while (open.length > 0 && (isTotalHidden || isSmall(sumOf(open), threshold)) && groups.length > 0) {
    open = [...(groups.pop() ?? []), ...open];
    if (!isTotalHidden && !isSmall(sumOf(open), threshold)) break;
  }
  if (open.length > 0) groups.push(open);
  return groups.flatMap((group, index) => {
    const isLast = index === groups.length - 1;
    const isShown = !(isTotalHidden && isLast) && !isSmall(sumOf(group), threshold);
    const hasOne = group.length === 1;
    return group.map((period, place) => ({
      ...period,
      records: isShown && (hasOne || period.records === 0) ? period.records : null,
      cumulated: isShown && place === group.length - 1 ? period.cumulated : null,
    }));
  });
}

function protectedSites(sites: readonly SiteCount[], threshold: number): SiteCount[] {
  const counts = withoutSmall(
    sites.map(({ records }) => records ?? 0),
    threshold,
  );
  return sites.map((site, index) => ({ ...site, records: counts[index] ?? null }));
}

function protectedCell(cell: CompletenessCell, threshold: number): CompletenessCell {
  const records = isSmall(cell.records ?? 0, threshold) ? null : cell.records;
  if (records === null) return { ...cell, ...NO_COUNTS };
  const [complete = null, unverified = null, incomplete = null, notBegun = null] = withoutSmall(
    [cell.complete ?? 0, cell.unverified ?? 0, cell.incomplete ?? 0, cell.notBegun ?? 0],
    threshold,
  );
  return { ...cell, records, complete, unverified, incomplete, notBegun };
}

/**
 * Shows only a percentage, and none if few values are missing or few are present. Counts would reveal those of the
 * completeness grid.
 */
function protectedField(field: MissingField, threshold: number): MissingField {
  const { shown, missing, percent } = field;
  const canShow =
    shown !== null &&
    missing !== null &&
    !isSmall(missing, threshold) &&
    !isSmall(shown - missing, threshold);
  return {
    ...field,
    shown: null,
    missing: null,
    percent: canShow && percent !== null && (shown ?? 0) >= threshold ? Math.round(percent) : null,
  };
}

export function isSmall(count: number, threshold: number): boolean {
  return count > 0 && count < threshold;
}
