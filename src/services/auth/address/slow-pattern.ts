import vm from 'node:vm';

const LIMIT_MS = 10;
/** A match that was interrupted has had its time when the processor worked for this long. */
const FAIR_CPU_MS = 8;
const FAIR_TRIES = 5;
const MAX_TRIES = 50;
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
    return takesTooLong(() => tryToMatch(script, context));
  });
}

/** What became of one try to match. */
export interface MatchTry {
  /** It ended before it was interrupted. */
  readonly isInTime: boolean;
  /** Processor time that passed meanwhile, of the whole process. */
  readonly cpuMs: number;
}

/**
 * Judges a match by the best of several tries: one that ends in time is proof that it can. A busy machine stops any
 * match for longer than the limit, so a try that was interrupted counts only if the processor worked on it.
 */
export function takesTooLong(attempt: () => MatchTry): boolean {
  let fairTries = 0;
  for (let tries = 0; tries < MAX_TRIES && fairTries < FAIR_TRIES; tries += 1) {
    const { isInTime, cpuMs } = attempt();
    if (isInTime) return false;
    if (cpuMs >= FAIR_CPU_MS) fairTries += 1;
  }
  return true;
}

function tryToMatch(script: vm.Script, context: vm.Context): MatchTry {
  const before = process.cpuUsage();
  const isInTime = endsInTime(script, context);
  const { user, system } = process.cpuUsage(before);
  return { isInTime, cpuMs: (user + system) / 1000 };
}

function endsInTime(script: vm.Script, context: vm.Context): boolean {
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
