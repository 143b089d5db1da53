import { playPair, type Finding, type Pair } from '../play.js';
import type { Leak } from './leak.js';

/** Whether a policy could have a leak. */
export const isFor = (leak: Leak, { left, study, who }: Pair): boolean =>
  leak.isFor?.(left, study, who.rules) ?? true;

/** Seeds a leak into pairs of projects until it is found. @returns by which proof, and in which of the pairs */
export async function foundBy(
  leak: Leak,
  pairs: Iterable<Pair>,
): Promise<{ readonly proof: Finding['proof']; readonly pair: number } | undefined> {
  let number = 0;
  for (const pair of pairs) {
    number += 1;
    if (!isFor(leak, pair)) continue;
    const [finding] = (await playPair(pair, { leak, isBrief: true })).findings;
    if (finding !== undefined) return { proof: finding.proof, pair: number };
  }
  return undefined;
}
