import { isFor } from '../../proof/leaks/found-by.js';
import type { Leak } from '../../proof/leaks/leak.js';
import { LEAKS } from '../../proof/leaks/leaks.js';
import { seededPair } from '../pairs.js';
import { playDoor } from './play-door.js';

/** How many pairs of projects are played before a leak counts as one that nobody sees, of those that could have it. */
const PAIRS = 40;
/** How many seeds are tried for them: few policies decide about records by a file. */
const SEEDS = 1000;

/** Compares what REDCap's API answers under policies with smaller projects. @returns how many differences there were */
export async function compareDoor(cases: number, first: number): Promise<number> {
  let [compared, shown, failures, seed] = [0, 0, 0, first];
  for (; compared < cases && failures < 10; seed++) {
    const played = await playDoor(seed);
    compared += played.compared;
    shown += played.shown;
    failures += played.findings.length;
    for (const { call, told } of played.findings.slice(0, 3))
      console.log(`seed ${seed}: ${call}\n  ${told}\n  ${played.what}`);
  }
  console.log(
    `${compared} calls of REDCap's API to ${seed - first} projects, of which ${shown} showed something: ${failures} differences.`,
  );
  return failures;
}

/** What the door asks no view for: no view has a file repository, and no call of REDCap's API is a dry run. */
const NOT_ASKED = new Set(['the file repository', 'a dry run that says whether a record exists']);

/** The leaks between the calls of a view and its caller, whatever asks. */
export const LEAKING_CALLS: readonly Leak[] = LEAKS.filter(
  ({ name, calls }) => calls !== undefined && !NOT_ASKED.has(name),
);

/** Seeds each leak into the calls of views, until it is found through the door. @returns those that were not */
export async function survivorsAtDoor(
  first: number,
  leaks: readonly Leak[] = LEAKING_CALLS,
  tell: (line: string) => void = () => undefined,
): Promise<string[]> {
  const left: string[] = [];
  for (const leak of leaks) {
    const by = await foundAtDoor(leak, first);
    tell(`${leak.name}: ${by ?? 'SURVIVED'}`);
    if (by === undefined) left.push(leak.name);
  }
  return left;
}

async function foundAtDoor(leak: Leak, first: number): Promise<string | undefined> {
  let played = 0;
  for (let seed = first; seed < first + SEEDS && played < PAIRS; seed++) {
    const pair = seededPair(seed);
    if (!pair.isAlike || !isFor(leak, pair)) continue;
    played += 1;
    const [finding] = (await playDoor(seed, { leak })).findings;
    if (finding !== undefined) return `found at ${finding.call}, pair ${seed - first + 1}`;
  }
  return undefined;
}
