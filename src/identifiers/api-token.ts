import { inspect } from 'node:util';
import { InvalidIdentifierError } from '../errors/caller-errors.js';

/** 32 hexadecimal characters are a project token, 64 a super token. */
export const API_TOKEN_PATTERN = /^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{64})$/;

/** The rule as the end of a sentence, for problem details. */
export const API_TOKEN_RULE = 'has 32 hexadecimal characters (a project token) or 64 (a super token)';

const REDACTED = '[token]';

/**
 * REDCap's all-powerful token, as `ApiToken(…)` makes it. It is an object, not a string, so that no log, template or JSON shows it:
 * only `reveal()` gives the characters, and only the transport calls that.
 *
 * @see docs/protocol/redcap.md 1.3, 1.6 (client)
 */
export interface ApiToken {
  /** The characters, upper-cased as REDCap issues them. For the wire alone. */
  reveal(): string;
  /** `[token]` */
  toString(): string;
  /** `[token]` */
  toJSON(): string;
}

class RedactedToken implements ApiToken {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

export function isApiToken(value: unknown): value is ApiToken {
  return value instanceof RedactedToken;
}

/** @throws {InvalidIdentifierError} naming the rule; the refused value is not repeated. */
export function ApiToken(value: string | ApiToken): ApiToken {
  if (isApiToken(value)) return value;
  if (API_TOKEN_PATTERN.test(value)) return new RedactedToken(value.toUpperCase());
  throw new InvalidIdentifierError('An API token', API_TOKEN_RULE);
}
