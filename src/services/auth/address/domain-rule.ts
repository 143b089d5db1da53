import { ConfigurationError } from '../../../errors/operator-errors.js';
import type { Email } from '../../../identifiers/email.js';
import { domainOf } from './canonical-address.js';
import { linearPattern, type LinearPattern } from './linear-pattern.js';

/** Which addresses may sign in. */
export interface DomainValidation {
  /**
   * Which domains may sign in: a regular expression or its source, matched against the whole domain in lower case and
   * ASCII form, as if it stood between `^(?:` and `)$`: `example\.org` admits neither `evilexample.org` nor
   * `example.org.evil.com`, nor sub-domains. A pattern with an `@` in it is matched against the address instead, and has
   * to reach from the `@`, or from before it, to the end. The word `any` admits every domain.
   */
  readonly allowedDomainsRegexp: RegExp | string;
}

/** The allow-list, ready to be asked. */
export interface DomainRule {
  admits(address: Email): boolean;
}

const SETTING = 'allowedDomainsRegexp';
const MAX_SOURCE_LENGTH = 4_096;

/**
 * Compiles the allow-list once (MAIL-03), for an engine that cannot hang (MAIL-06).
 *
 * @throws {ConfigurationError} it is missing, empty, no regular expression, has the flag g, y or m, looks ahead or behind,
 * refers back, or is too large; the message names the setting, not its value
 */
export function compileDomainRule(allowed: unknown): DomainRule {
  if (allowed === 'any') return { admits: () => true };
  const { source, flags } = readPattern(allowed);
  // `$` alone would do for addresses too, but only a pattern that says `@` is meant for them: a wildcard in any other
  // could run across the `@` and take the end of the name for a part of the domain.
  const isForAddresses = source.includes('@');
  const domains = compile(`^(?:${source})$`, flags);
  const addresses = isForAddresses ? compile(`(?:${source})$`, flags) : undefined;
  return {
    admits: (address) => domains.matchStart(domainOf(address)) === 0 || reachesAt(addresses, address),
  };
}

/** MAIL-02: from the `@`, or from before it, to the last character. The first match is the one that starts leftmost. */
function reachesAt(pattern: LinearPattern | undefined, address: Email): boolean {
  const start = pattern?.matchStart(address);
  return start !== undefined && start <= address.lastIndexOf('@');
}

function readPattern(allowed: unknown): { source: string; flags: string } {
  const isRegExp = allowed instanceof RegExp;
  const source = isRegExp ? allowed.source : allowed;
  if (typeof source !== 'string' || source.trim() === '' || source === '(?:)') {
    throw refused('is missing: give a regular expression, or the word any');
  }
  if (source.length > MAX_SOURCE_LENGTH) throw refused(`has more than ${MAX_SOURCE_LENGTH} characters`);
  const flags = isRegExp ? allowed.flags : '';
  // With g or y the answers would alternate, with m a line break would end the address.
  if (/[gym]/.test(flags)) throw refused('must not have the flag g, y or m');
  // By itself first: `a)|(?:b` is only balanced inside our own brackets.
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

function compile(source: string, flags: string): LinearPattern {
  const pattern = linearPattern(source, { isDotAll: flags.includes('s') });
  if (pattern === 'unsupported') {
    throw refused('must do without lookaheads, lookbehinds, references back and very long repetitions');
  }
  if (pattern === 'too-large') throw refused('is too large: shorten its repetitions');
  return pattern;
}

function refused(rule: string): ConfigurationError {
  return new ConfigurationError([{ field: SETTING, message: rule }]);
}
