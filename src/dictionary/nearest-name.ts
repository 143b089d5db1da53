/**
 * Returns the name that was most likely meant: one that differs only in case, blanks and punctuation, or in a few
 * typing mistakes.
 *
 * @param name the name as written; one of more than 100 characters has no match
 * @returns undefined if no candidate is close
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = simplified(name);
  if (wanted === '' || name.length > MAX_LENGTH) return undefined;
  let nearest: string | undefined;
  let limit = wanted.length < 3 ? 0 : Math.min(3, Math.ceil(wanted.length / 4));
  for (const candidate of candidates) {
    const known = simplified(candidate);
    if (known === wanted) return candidate;
    const distance = distanceWithin(wanted, known, limit);
    if (distance > limit || (nearest !== undefined && distance === limit)) continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}

const MAX_LENGTH = 100;

function simplified(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');
}

/**
 * Returns the edit distance, counting swapped neighbours as one edit, or a number above the limit as soon as it is
 * certainly exceeded.
 */
function distanceWithin(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  let [before, previous, current]: [number[], number[], number[]] = [[], [], []];
  for (let column = 0; column <= to.length; column++) previous[column] = column;
  for (let row = 1; row <= from.length; row++) {
    current[0] = row;
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwapped) distance = Math.min(distance, (before[column - 2] ?? 0) + 1);
      current[column] = distance;
      least = Math.min(least, distance);
    }
    if (least > limit) return limit + 1;
    [before, previous, current] = [previous, current, before];
  }
  return previous[to.length] ?? limit + 1;
}
