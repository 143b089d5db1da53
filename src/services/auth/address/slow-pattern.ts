import vm from 'node:vm';

const LIMIT_MS = 10;
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
  const context = vm.createContext({ pattern, text: '' });
  const script = new vm.Script('pattern.test(text)');
  return adversarialTexts(source).some((text) => {
    context.text = text;
    return isSlow(script, context);
  });
}

/** Thrice, because a busy machine can stop any match for longer than that. */
function isSlow(script: vm.Script, context: vm.Context): boolean {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (isInTime(script, context)) return false;
  }
  return true;
}

function isInTime(script: vm.Script, context: vm.Context): boolean {
  try {
    script.runInContext(context, { timeout: LIMIT_MS });
    return true;
  } catch {
    return false;
  }
}

function adversarialTexts(source: string): string[] {
  const words = (source.match(/[A-Za-z0-9]+/g) ?? []).slice(0, 20).map((word) => word.toLowerCase());
  const seeds = new Set([...SEEDS, ...words, ...words.map((word) => `${word}.`)]);
  return [...seeds].flatMap((seed) => {
    const run = seed.repeat(Math.ceil(LENGTH / seed.length));
    return ENDINGS.map((ending) => run.slice(0, LENGTH - ending.length) + ending);
  });
}
