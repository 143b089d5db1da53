import { RE2JS } from 're2js';

/**
 * Maximum program size. The number of steps of a match is at most the text length times the program size: 254
 * characters and the largest program take a few milliseconds. A list of two hundred domains has about this size.
 */
const MAX_PROGRAM_SIZE = 5_000;

/** A regular expression whose matching time is linear in the length of the text. */
export interface LinearPattern {
  /**
   * @param from where the search begins; `^` matches only at the beginning of the text
   * @returns where the leftmost match starts, or `undefined` without one
   */
  matchStart(text: string, from?: number): number | undefined;
}

/**
 * Compiles a regular expression in JavaScript syntax for RE2's algorithm, which does not backtrack (MAIL-06). Matching
 * ignores case.
 *
 * @returns `unsupported` for features that the algorithm lacks: lookaheads, lookbehinds and backreferences
 */
export function linearPattern(
  source: string,
  { isDotAll = false },
): LinearPattern | 'unsupported' | 'too-large' {
  const pattern = compiled(source, RE2JS.CASE_INSENSITIVE | (isDotAll ? RE2JS.DOTALL : 0));
  if (pattern === undefined) return 'unsupported';
  if (pattern.programSize() > MAX_PROGRAM_SIZE) return 'too-large';
  return {
    matchStart: (text, from = 0) => {
      const matcher = pattern.matcher(text);
      return matcher.find(from) ? matcher.start() : undefined;
    },
  };
}

function compiled(source: string, flags: number): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), flags);
  } catch {
    return undefined;
  }
}
