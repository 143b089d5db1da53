import vm from 'node:vm';

const LIMIT_MS = 10;
/** When a match is interrupted: later than the limit, because a busy machine lets a match wait. */
const INTERRUPT_MS = 50;
const TRIES = 3;
const LENGTH = 254;
const SEEDS = ['a', '0', '-', '.', 'a.', 'a-', '0a', 'ab', 'a.b-', 'org.', '@'];
const ENDINGS = ['', '!', '.', '-a', '@', '@a.org', '.invalid'];

/**
 * Whether a pattern needs more than 10 ms on some adversarial text of 254 characters (MAIL-06).
 *
 * The texts are made of what such patterns stumble over: long runs of one character class, and of the pattern's own
 * words, with an end that does not match. `vm` interrupts a match that is under way; nothing else on this thread could.
 */
export function isSlowPattern(pattern: RegExp, source: string): boolean {
  const context: MatchContext = { pattern, text: '', now: () => performance.now(), tookMs: 0 };
  vm.createContext(context);
  const script = new vm.Script(
    '{ const startedAt = now(); pattern.test(text); tookMs = now() - startedAt; }',
  );
  return adversarialTexts(source).some((text) => {
    context.text = text;
    return isSlow(script, context);
  });
}

interface MatchContext extends vm.Context {
  text: string;
  tookMs: number;
}

/** Thrice, because a busy machine can stop any match for longer than that. */
function isSlow(script: vm.Script, context: MatchContext): boolean {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (matchMs(script, context) <= LIMIT_MS) return false;
  }
  return true;
}

/** The time of the match itself: on a busy machine the interruption comes now and then after the match is over. */
function matchMs(script: vm.Script, context: MatchContext): number {
  context.tookMs = Number.POSITIVE_INFINITY;
  try {
    script.runInContext(context, { timeout: INTERRUPT_MS });
  } catch {
    // It was interrupted: before the match was over, or after.
  }
  return context.tookMs;
}

function adversarialTexts(source: string): string[] {
  const words = (source.match(/[A-Za-z0-9]+/g) ?? []).slice(0, 20).map((word) => word.toLowerCase());
  const seeds = new Set([...SEEDS, ...words, ...words.map((word) => `${word}.`)]);
  return [...seeds].flatMap((seed) => {
    const run = seed.repeat(Math.ceil(LENGTH / seed.length));
    return ENDINGS.map((ending) => run.slice(0, LENGTH - ending.length) + ending);
  });
}
