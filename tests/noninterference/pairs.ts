import { playPair, pairOf, type Pair, type Play, type Played } from '../proof/play.js';
import { foundBy } from '../proof/leaks/found-by.js';
import type { Leak } from '../proof/leaks/leak.js';
import { SeededRandom } from '../../src/sandbox/demo-study/made-up.js';
import { DESIGNS } from './designs.js';
import { madeUpCase } from './made-up-policy.js';

const KINDS = ['classic', 'repeating', 'longitudinal'] as const;
/** How many pairs of projects are played before a leak counts as one that nobody sees. */
const PAIRS = 80;

/** Makes a pair of projects up, and a policy. The same seed makes the same. */
export function seededPair(seed: number): Pair & { readonly what: string } {
  const random = new SeededRandom(seed);
  const kind = KINDS[seed % KINDS.length] ?? 'classic';
  const who = madeUpCase(random, DESIGNS[kind]);
  const what = `${kind} ${JSON.stringify(who.rules)}`;
  return { ...pairOf(seed, DESIGNS[kind], who, random, 'email'), what };
}

/** Plays the pair of a seed. */
export async function playSeed(seed: number, play?: Play): Promise<Played & { readonly what: string }> {
  const pair = seededPair(seed);
  const { compared, shown, changes, findings, sent } = await playPair(pair, play);
  return { compared, shown, changes, findings, sent, what: pair.what };
}

/** Seeds each leak into pairs of projects, until it is found. @returns those that were not */
export async function survivors(
  first: number,
  leaks: readonly Leak[],
  tell: (line: string) => void = () => undefined,
): Promise<Leak[]> {
  const left: Leak[] = [];
  for (const leak of leaks) {
    const found = await foundBy(leak, pairsFrom(first));
    tell(`${leak.name}: ${found === undefined ? 'SURVIVED' : `found by ${found.proof}, pair ${found.pair}`}`);
    if (found === undefined) left.push(leak);
  }
  return left;
}

function* pairsFrom(first: number): Generator<Pair> {
  for (let seed = first; seed < first + PAIRS; seed++) yield seededPair(seed);
}
