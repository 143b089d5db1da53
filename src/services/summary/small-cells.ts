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
