import { BESIDE_LEAKS, type BesideLeak } from './beside-leaks.js';
import { playBeside } from './play-beside.js';

/** How many pairs of projects are played before a leak counts as one that nobody sees. */
const PAIRS = 12;

/** Compares projects beside others. @returns how many differences there were */
export async function compareBeside(cases: number, first: number): Promise<number> {
  let [compared, shown, failures, seed] = [0, 0, 0, first];
  for (; compared < cases && failures < 10; seed++) {
    const played = await playBeside({ seed });
    compared += played.compared;
    shown += played.shown;
    failures += played.findings.length;
    for (const { request, told } of played.findings.slice(0, 3))
      console.log(`seed ${seed}: ${request}\n  ${told}`);
  }
  console.log(
    `${compared} requests to ${seed - first} projects beside others, of which ${shown} showed something: ${failures} differences.`,
  );
  return failures;
}

/** Seeds each leak between projects, until it is found. @returns those that were not */
export async function survivorsBeside(
  first: number,
  leaks: readonly (() => BesideLeak)[] = BESIDE_LEAKS,
  tell: (line: string) => void = () => undefined,
): Promise<string[]> {
  const left: string[] = [];
  for (const make of leaks) {
    const { name } = make();
    const by = await foundBeside(make, first);
    tell(`${name}: ${by ?? 'SURVIVED'}`);
    if (by === undefined) left.push(name);
  }
  return left;
}

async function foundBeside(make: () => BesideLeak, first: number): Promise<string | undefined> {
  for (let seed = first; seed < first + PAIRS; seed++) {
    const { findings } = await playBeside({ seed, share: 0.4, leak: make, isBrief: true });
    if (findings[0] !== undefined) return `found at ${findings[0].request}, pair ${seed - first + 1}`;
  }
  return undefined;
}
