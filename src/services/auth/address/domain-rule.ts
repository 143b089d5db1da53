import { ConfigurationError } from '../../../domain/errors/operator-errors.js';
import type { Email } from '../../../domain/identifiers/email.js';
import { domainOf } from './canonical-address.js';
import { RE2JS } from 're2js';

/** The rule that decides which addresses may sign in. */
export interface DomainValidation {
  /**
   * The domains that may sign in, as a regular expression or its source. It is matched against the whole domain in
   * lower case and ASCII form, as if enclosed in `^(?:` and `)$`: `example\.org` admits neither `evilexample.org` nor
   * `example.org.evil.com`, nor subdomains. A pattern that contains an `@` may also match the whole address, or all of
   * it from the `@` on: `ada@example\.org` does not admit `bada@example.org`. The word `any` admits every domain.
   */
  readonly allowedDomainsRegexp: RegExp | string;
}

/** A compiled allow-list. */
export interface DomainRule {
  admits(address: Email): boolean;
  /** The domains that it admits; empty if it is more than a list of domains. */
  readonly domains: readonly string[];
}

const SETTING = 'allowedDomainsRegexp';
const MAX_SOURCE_LENGTH = 4_096;

/**
 * Compiles the allow-list once (MAIL-03), for an engine that cannot hang (MAIL-06).
 *
 * @throws {ConfigurationError} it is missing, empty, not a regular expression, has the flag g, y or m, contains
 *   lookaheads, lookbehinds or backreferences, or is too large; the message names the setting, not its value
 */
export function compileDomainRule(allowed: unknown): DomainRule {
  if (allowed === 'any') return { admits: () => true, domains: [] };
  const { source, flags } = readPattern(allowed);
  // `$` alone would suffice for addresses too, but only patterns with an `@` are meant for them. A wildcard in any
  // other pattern could match across the `@` and treat the end of the name as part of the domain.
  const isForAddresses = source.includes('@');
  const whole = compile(`^(?:${source})$`, flags);
  const ends = isForAddresses ? compile(`(?:${source})$`, flags) : undefined;
  return {
    admits: (address) =>
      matchStart(whole, domainOf(address)) === 0 ||
      (ends !== undefined && (matchStart(whole, address) === 0 || beginsAtSign(ends, address))),
    domains: listedDomains(source),
  };
}

/** Returns the domains of a pattern such as `a\\.org|b\\.example\\.org`. */
function listedDomains(source: string): string[] {
  const domains = source.split('|').map((each) => each.replaceAll('\\.', '.'));
  return /^(?:[a-z0-9-]+(?:\\\.[a-z0-9-]+)+(?:\||$))+$/i.test(source) ? domains : [];
}

/** Returns whether a match covers all from the `@` on (MAIL-02), and so admits whatever is before it. */
function beginsAtSign(ends: RE2JS, address: Email): boolean {
  const at = address.lastIndexOf('@');
  return matchStart(ends, address, at) === at;
}

function readPattern(allowed: unknown): { source: string; flags: string } {
  const isRegExp = allowed instanceof RegExp;
  const source = isRegExp ? allowed.source : allowed;
  if (typeof source !== 'string' || source.trim() === '' || source === '(?:)')
    throw refused('is missing: give a regular expression, or the word any');
  if (source.length > MAX_SOURCE_LENGTH) throw refused(`has more than ${MAX_SOURCE_LENGTH} characters`);
  const flags = isRegExp ? allowed.flags : '';
  // With g or y the answers would alternate. With m a line break would end the address.
  if (/[gym]/.test(flags)) throw refused('must not have the flag g, y or m');
  // Checked on its own first: `a)|(?:b` is balanced only inside the added brackets.
  if (!isRegularExpression(source, flags)) throw refused('is not a regular expression');
  return { source, flags };
}

function isRegularExpression(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Maximum program size. The number of steps of a match is at most the text length times the program size: 254
 * characters and the largest program take a few milliseconds. A list of two hundred domains has about this size.
 */
const MAX_PROGRAM_SIZE = 5_000;

/**
 * Compiles a regular expression in JavaScript syntax for RE2's algorithm, which does not backtrack: its matching time is
 * linear in the length of the text (MAIL-06). Matching ignores case.
 */
function compile(source: string, flags: string): RE2JS {
  const pattern = compiled(source, RE2JS.CASE_INSENSITIVE | (flags.includes('s') ? RE2JS.DOTALL : 0));
  if (pattern === undefined)
    throw refused('must do without lookaheads, lookbehinds, references back and very long repetitions');
  if (pattern.programSize() > MAX_PROGRAM_SIZE) throw refused('is too large: shorten its repetitions');
  return pattern;
}

/** @returns undefined for features that the algorithm lacks: lookaheads, lookbehinds and backreferences */
function compiled(source: string, flags: number): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), flags);
  } catch {
    return undefined;
  }
}

/**
 * @param from where the search begins; `^` matches only at the beginning of the text
 * @returns where the leftmost match starts, or `undefined` without one
 */
function matchStart(pattern: RE2JS, text: string, from = 0): number | undefined {
  const matcher = pattern.matcher(text);
  return matcher.find(from) ? matcher.start() : undefined;
}

function refused(rule: string): ConfigurationError {
  return new ConfigurationError([{ field: SETTING, message: rule }]);
}
