import type {
  DistributionFigures,
  DistributionGroup,
  FieldDistribution,
  HistogramBin,
} from './field-distribution.js';
import { isSmall, withoutSmall } from './small-cells.js';

/**
 * Returns a distribution for a caller who may not read records. Minimum and maximum are values of single persons and
 * are omitted. A median requires `threshold` values on either side, and a quartile `threshold` values in each quarter.
 */
export function withoutSmallGroups(distribution: FieldDistribution, threshold: number): FieldDistribution {
  const isCheckbox = sumOf(distribution) > (distribution.n ?? 0);
  const overall = protectedFigures(distribution, threshold, isCheckbox);
  return {
    ...distribution,
    ...overall,
    smallCell: threshold,
    bins: overall.n === null ? [] : protectedBins(distribution.bins, threshold),
    groups: protectedGroups(distribution.groups, threshold, isCheckbox),
  };
}

function protectedFigures(
  figures: DistributionFigures,
  threshold: number,
  isCheckbox: boolean,
): DistributionFigures {
  const count = figures.n ?? 0;
  const [n = null, missing = null] = withoutSmall([count, figures.missing ?? 0], threshold);
  return {
    ...figures,
    n,
    missing,
    min: null,
    max: null,
    median: count >= 2 * threshold ? figures.median : null,
    lowerQuartile: count >= 4 * threshold ? figures.lowerQuartile : null,
    upperQuartile: count >= 4 * threshold ? figures.upperQuartile : null,
    choices: n === null ? figures.choices.map(hidden) : protectedChoices(figures, threshold, isCheckbox),
  };
}

function protectedChoices(figures: DistributionFigures, threshold: number, isCheckbox: boolean) {
  const counts = figures.choices.map(({ n }) => n ?? 0);
  const all = figures.n ?? 0;
  // Each choice of a checkbox field is a separate question: few people may have selected it, or few may not.
  const shown = isCheckbox
    ? counts.map((count) => (isSmall(count, threshold) || isSmall(all - count, threshold) ? null : count))
    : withoutSmall(counts, threshold);
  return figures.choices.map((choice, index) => ({ ...choice, n: shown[index] ?? null }));
}

/**
 * Omits small bars. The first and last bar would reveal the minimum and maximum, so they are omitted until they contain
 * enough values.
 */
function protectedBins(bins: readonly HistogramBin[], threshold: number): HistogramBin[] {
  const counts = withoutSmall(
    bins.map(({ n }) => n ?? 0),
    threshold,
  );
  const shown = bins.map((bin, index) => ({ ...bin, n: counts[index] ?? null }));
  const isFilled = ({ n }: HistogramBin): boolean => n !== null && n > 0;
  return shown.slice(Math.max(0, shown.findIndex(isFilled)), shown.findLastIndex(isFilled) + 1);
}

/** Shows all groups or none: if one of them has a small count, the others and the total would reveal it. */
function protectedGroups(
  groups: readonly DistributionGroup[],
  threshold: number,
  isCheckbox: boolean,
): DistributionGroup[] {
  const canShow = groups.every((group) => {
    const all = group.n ?? 0;
    const counts = [all, group.missing ?? 0, ...group.choices.map(({ n }) => n ?? 0)];
    const rests = isCheckbox ? group.choices.map(({ n }) => all - (n ?? 0)) : [];
    return [...counts, ...rests].every((count) => !isSmall(count, threshold));
  });
  if (canShow)
    return groups.map((group) => ({ ...group, ...protectedFigures(group, threshold, isCheckbox) }));
  return [];
}

function sumOf({ choices }: DistributionFigures): number {
  return choices.reduce((sum, { n }) => sum + (n ?? 0), 0);
}

function hidden<Counted extends { readonly n: number | null }>(counted: Counted): Counted {
  return { ...counted, n: null };
}
