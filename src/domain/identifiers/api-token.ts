import { InvalidIdentifierError } from '../errors/caller-errors.js';
import { Secret } from './secret.js';

/** 32 hexadecimal characters are a project token, 64 a super token. */
export const API_TOKEN_PATTERN = /^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{64})$/;

/** The rule, worded as the end of a sentence, for problem details. */
export const API_TOKEN_RULE = 'must have 32 hexadecimal characters (a project token) or 64 (a super token)';

/**
 * A REDCap API token, created by `ApiToken(…)`. It is an object rather than a string, so that it never appears in logs,
 * templates or JSON. Only `reveal()` returns the characters, and only the transport calls it.
 *
 * @see docs/protocol/redcap.md 1.3, 1.6 (client)
 */
export interface ApiToken {
  /** Returns the characters in upper case, as issued by REDCap. Only for requests to REDCap. */
  reveal(): string;
  /** Returns `[token]`. */
  toString(): string;
  /** Returns `[token]`. */
  toJSON(): string;
}

class RedactedToken extends Secret implements ApiToken {}

/** Checks whether a value is a token: 32 or 64 hexadecimal characters. */
export function isApiToken(value: unknown): value is ApiToken {
  return value instanceof RedactedToken;
}

/** @throws {InvalidIdentifierError} naming the rule, never the refused value */
export function ApiToken(value: string | ApiToken): ApiToken {
  if (isApiToken(value)) return value;
  if (typeof value === 'string' && API_TOKEN_PATTERN.test(value))
    return new RedactedToken(value.toUpperCase(), '[token]');
  throw new InvalidIdentifierError('An API token', API_TOKEN_RULE);
}
