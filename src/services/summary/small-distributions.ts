import type {
  DistributionFigures,
  DistributionPart,
  FieldDistribution,
  HistogramBin,
} from './field-distribution.js';
import { isSmall, withoutSmall } from './small-cells.js';
import type { StudyRelease } from './study-release.js';

/** What else must be known of a field to decide what may be told of it. */
export interface DistributedField {
  /** Whether several choices may be selected at once. */
  readonly isCheckbox: boolean;
  /**
   * Whether its branching logic may hide it. Then no count of it is told: with the values that show it, such as a choice
   * of another field, it is a total of its own.
   */
  readonly mayBeHidden: boolean;
}

/**
 * Returns a distribution for a caller who may not read records: without small counts, and without those that would tell
 * them together with the summary, the other fields, or the same field by group. Minimum and maximum are values of single
 * persons and are omitted. A median requires `threshold` values on either side, and a quartile `threshold` values in
 * each quarter.
 */
export function withoutSmallGroups(
  distribution: FieldDistribution,
  field: DistributedField,
  release: StudyRelease,
): FieldDistribution {
  const { threshold } = release;
  if (field.mayBeHidden || !mayTellCounts(distribution, release))
    return {
      ...distribution,
      ...withoutCounts(distribution, release),
      smallCell: threshold,
      bins: [],
      parts: [],
    };
  return {
    ...distribution,
    ...quantilesOf(distribution, threshold),
    smallCell: threshold,
    choices: choicesWithoutSmall(distribution, field, threshold),
    bins: binsWithoutSmall(distribution.bins, threshold),
    parts: maySplit(distribution, field, release)
      ? distribution.parts.map((group) => ({ ...group, ...quantilesOf(group, threshold) }))
      : [],
  };
}

/** Whether the number of values and of missing ones may be known, which add up to the forms that were begun. */
function mayTellCounts(distribution: FieldDistribution, release: StudyRelease): boolean {
  const { field, instrument } = distribution;
  const [n, missing] = [distribution.n ?? 0, distribution.missing ?? 0];
  const dated = release.datedBy(field);
  const empty = release.emptyOf(field);
  const derived = [
    n,
    missing,
    // Unlikely dates, and those of further events.
    ...(dated === undefined ? [] : [n - dated]),
    // Missing data codes.
    ...(empty === undefined ? [] : [missing - empty]),
  ];
  return release.mayTell(field, instrument) && derived.every((count) => !isSmall(count, release.threshold));
}

/** Of more values than it takes, the median and the quartiles lead to nobody, nor to a count. */
function withoutCounts(distribution: FieldDistribution, release: StudyRelease): DistributionFigures {
  return {
    ...quantilesOf(distribution, release.threshold),
    n: null,
    missing: null,
    choices: distribution.choices.map((choice) => ({ ...choice, n: null })),
  };
}

function quantilesOf(figures: DistributionFigures, threshold: number): DistributionFigures {
  const count = figures.n ?? 0;
  return {
    ...figures,
    min: null,
    max: null,
    median: count >= 2 * threshold ? figures.median : null,
    lowerQuartile: count >= 4 * threshold ? figures.lowerQuartile : null,
    upperQuartile: count >= 4 * threshold ? figures.upperQuartile : null,
  };
}

function choicesWithoutSmall(
  figures: DistributionFigures,
  { isCheckbox }: DistributedField,
  threshold: number,
): FieldDistribution['choices'] {
  const counts = countsOf(figures);
  const rest = (figures.n ?? 0) - counts.reduce((sum, count) => sum + count, 0);
  const areSmall = derivedFrom(figures, isCheckbox).some((count) => isSmall(count, threshold));
  // Of a single choice, the values with no known code are the last part of the total.
  const shown = isCheckbox
    ? counts.map((count) => (areSmall ? null : count))
    : withoutSmall([...counts, rest], threshold);
  return figures.choices.map((choice, index) => ({ ...choice, n: shown[index] ?? null }));
}

/**
 * Returns what the counts of choices tell besides themselves. Of a checkbox field: how many people left out each choice,
 * and how many selected more than one. Of others: how many values have no known code.
 */
function derivedFrom(figures: DistributionFigures, isCheckbox: boolean): number[] {
  const counts = countsOf(figures);
  const all = figures.n ?? 0;
  const others = counts.reduce((sum, count) => sum + count, 0) - all;
  return [...counts, Math.abs(others), ...(isCheckbox ? counts.map((count) => all - count) : [])];
}

function countsOf({ choices }: DistributionFigures): number[] {
  return choices.map(({ n }) => n ?? 0);
}

/** Omits small bars. Bars at either end are left out with them: they would tell the minimum and maximum. */
function binsWithoutSmall(bins: readonly HistogramBin[], threshold: number): HistogramBin[] {
  const counts = withoutSmall(
    bins.map(({ n }) => n ?? 0),
    threshold,
  );
  const shown = bins.map((bin, index) => ({ ...bin, n: counts[index] ?? null }));
  const isFilled = ({ n }: HistogramBin): boolean => n !== null && n > 0;
  const first = shown.findIndex(isFilled);
  return first === -1 ? [] : shown.slice(first, shown.findLastIndex(isFilled) + 1);
}

/** All groups are shown or none: if one of them has a small count, the others and the total would tell it. */
function maySplit(
  { by, instrument, parts, choices }: FieldDistribution,
  { isCheckbox }: DistributedField,
  release: StudyRelease,
): boolean {
  if (by === null || !release.maySplit(by, instrument)) return false;
  const hasSmall = (group: DistributionPart): boolean => {
    const forms = (group.n ?? 0) + (group.missing ?? 0);
    const whole = by === 'dag' ? release.summary.dags.find(({ dag }) => dag === group.part) : undefined;
    const counts = [
      group.n ?? 0,
      group.missing ?? 0,
      ...(choices.length > 0 ? derivedFrom(group, isCheckbox) : []),
    ];
    return (
      counts.some((count) => isSmall(count, release.threshold)) ||
      (typeof whole?.records === 'number' && !release.mayCompare(whole.records, forms, instrument))
    );
  };
  return !parts.some(hasSmall);
}
