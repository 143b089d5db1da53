import type {
  CompletenessCell,
  MissingField,
  RecruitmentPeriod,
  SiteCount,
  StudySummary,
} from './study-summary.js';

/**
 * Omits small counts from a list whose total is known: those from 1 to below `least`, and as many others as needed so
 * that the omitted counts cannot be derived from the total and the rest. Zeros remain.
 */
export function withoutSmall(counts: readonly number[], least: number): (number | null)[] {
  const hidden = new Set<number>();
  counts.forEach((count, index) => isSmall(count, least) && hidden.add(index));
  if (hidden.size === 0) return [...counts];
  const bySize = counts
    .map((count, index) => ({ count, index }))
    .filter(({ count, index }) => count > 0 && !hidden.has(index))
    .sort((one, other) => one.count - other.count);
  const sum = (): number => [...hidden].reduce((total, index) => total + (counts[index] ?? 0), 0);
  while ((hidden.size < 2 || sum() < least) && bySize.length > 0) hidden.add(bySize.shift()?.index ?? -1);
  return counts.map((count, index) => (hidden.has(index) ? null : count));
}

/** Returns the summary for a caller who may not read records. No count refers to fewer than `least` people. */
export function withoutSmallCells(summary: StudySummary, least: number): StudySummary {
  const { recruitment } = summary;
  // With fewer records than that, no count can be shown.
  if (summary.records !== null && summary.records < least) return withoutAny(summary, least);
  const dated = recruitment.months.at(-1)?.cumulated ?? 0;
  const [undated = null] = withoutSmall([recruitment.undated ?? 0, dated], least);
  return {
    ...summary,
    smallCell: least,
    recruitment: {
      ...recruitment,
      undated,
      months: mergedPeriods(recruitment.months, least, undated === null),
      weeks: [],
    },
    sites: protectedSites(summary.sites, least),
    completeness: summary.completeness.map((cell) => protectedCell(cell, least)),
    missing: summary.missing.map((field) => protectedField(field, least)),
    missingPercent: summary.missingPercent === null ? null : Math.round(summary.missingPercent),
  };
}

function withoutAny(summary: StudySummary, least: number): StudySummary {
  const { recruitment, completeness, missing } = summary;
  return {
    ...summary,
    smallCell: least,
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
 * Merges periods so that every shown sum is either 0 or at least `least`: a cumulated count is omitted until there are
 * enough records since the last one shown. The rest at the end is merged into the previous group.
 *
 * @param isTotalHidden whether the sum of all periods must also be omitted
 */
function mergedPeriods(
  periods: readonly RecruitmentPeriod[],
  least: number,
  isTotalHidden: boolean,
): RecruitmentPeriod[] {
  const groups: RecruitmentPeriod[][] = [];
  let open: RecruitmentPeriod[] = [];
  const sumOf = (group: readonly RecruitmentPeriod[]): number =>
    group.reduce((sum, { records }) => sum + (records ?? 0), 0);
  for (const period of periods) {
    open.push(period);
    const sum = sumOf(open);
    if (sum === 0 || sum >= least) {
      groups.push(open);
      open = [];
    }
  }
  while (open.length > 0 && (isTotalHidden || isSmall(sumOf(open), least)) && groups.length > 0) {
    open = [...(groups.pop() ?? []), ...open];
    if (!isTotalHidden && !isSmall(sumOf(open), least)) break;
  }
  if (open.length > 0) groups.push(open);
  return groups.flatMap((group, index) => {
    const isLast = index === groups.length - 1;
    const isShown = !(isTotalHidden && isLast) && !isSmall(sumOf(group), least);
    const hasOne = group.length === 1;
    return group.map((period, place) => ({
      ...period,
      records: isShown && (hasOne || period.records === 0) ? period.records : null,
      cumulated: isShown && place === group.length - 1 ? period.cumulated : null,
    }));
  });
}

function protectedSites(sites: readonly SiteCount[], least: number): SiteCount[] {
  const counts = withoutSmall(
    sites.map(({ records }) => records ?? 0),
    least,
  );
  return sites.map((site, index) => ({ ...site, records: counts[index] ?? null }));
}

function protectedCell(cell: CompletenessCell, least: number): CompletenessCell {
  const records = isSmall(cell.records ?? 0, least) ? null : cell.records;
  if (records === null) return { ...cell, ...NO_COUNTS };
  const [complete = null, unverified = null, incomplete = null, notBegun = null] = withoutSmall(
    [cell.complete ?? 0, cell.unverified ?? 0, cell.incomplete ?? 0, cell.notBegun ?? 0],
    least,
  );
  return { ...cell, records, complete, unverified, incomplete, notBegun };
}

/**
 * Shows only a percentage, and none if few values are missing or few are present. Counts would reveal those of the
 * completeness grid.
 */
function protectedField(field: MissingField, least: number): MissingField {
  const { shown, missing, percent } = field;
  const isTellable =
    shown !== null && missing !== null && !isSmall(missing, least) && !isSmall(shown - missing, least);
  return {
    ...field,
    shown: null,
    missing: null,
    percent: isTellable && percent !== null && (shown ?? 0) >= least ? Math.round(percent) : null,
  };
}

function isSmall(count: number, least: number): boolean {
  return count > 0 && count < least;
}
