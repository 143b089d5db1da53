import { playCase } from './check.js';
import type { Leak } from './leak.js';

/** How many pairs of projects are played before a leak counts as one that nobody sees. */
const PAIRS = 40;

/** Seeds each leak into pairs of projects, until it is found. @returns those that were not */
export async function survivors(
  seed: number,
  leaks: readonly Leak[],
  tell: (line: string) => void = () => undefined,
): Promise<Leak[]> {
  const left: Leak[] = [];
  for (const leak of leaks) {
    const by = await foundBy(leak, seed);
    tell(`${leak.name}: ${by ?? 'SURVIVED'}`);
    if (by === undefined) left.push(leak);
  }
  return left;
}

async function foundBy(leak: Leak, first: number): Promise<string | undefined> {
  for (let seed = first; seed < first + PAIRS; seed++) {
    const [finding] = (await playCase({ seed, leak, isBrief: true })).findings;
    if (finding !== undefined) return `found by ${finding.proof}, pair ${seed - first + 1}`;
  }
  return undefined;
}
