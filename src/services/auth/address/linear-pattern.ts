import { RE2JS } from 're2js';

/**
 * The steps of a match are at most the length of the text times this: 254 characters against the largest program take
 * some milliseconds. A list of two hundred domains has about as many.
 */
const MAX_PROGRAM_SIZE = 5_000;

/** A regular expression whose time grows with the length of the text and no faster, whatever the expression is. */
export interface LinearPattern {
  /** @returns where the leftmost match starts, or `undefined` without one */
  matchStart(text: string): number | undefined;
}

/**
 * Compiles a regular expression in JavaScript's syntax for RE2's algorithm, which has no backtracking (MAIL-06). Upper and
 * lower case are not told apart.
 *
 * @returns `unsupported` for what that algorithm cannot do: looking ahead or behind, and references back
 */
export function linearPattern(
  source: string,
  { isDotAll = false } = {},
): LinearPattern | 'unsupported' | 'too-large' {
  const pattern = compiled(source, RE2JS.CASE_INSENSITIVE | (isDotAll ? RE2JS.DOTALL : 0));
  if (pattern === undefined) return 'unsupported';
  if (pattern.programSize() > MAX_PROGRAM_SIZE) return 'too-large';
  return {
    matchStart: (text) => {
      const matcher = pattern.matcher(text);
      return matcher.find() ? matcher.start() : undefined;
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
