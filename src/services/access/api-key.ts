import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../../domain/errors/operator-errors.js';
import { API_KEY_RULE, isApiKey } from '../../domain/identifiers/setting-forms.js';
import type { Scope } from '../../domain/identifiers/scope.js';

/** An API key as stored by this service: only its SHA-256, never the key itself. */
export interface ApiKey {
  /** The name of its owner; appears in the log. */
  readonly name: string;
  /** SHA-256 of the whole key, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly scopes: readonly Scope[];
  /** The projects that it opens, of an application that has several; by default only the one without a prefix. */
  readonly projects?: readonly string[] | undefined;
  /** The key is refused from this time on; it never expires if absent. */
  readonly expiresAt?: Date | undefined;
}

/** Creates an API key. @returns `crf_` and 256 random bits in base64url. It is shown once and not stored. */
export function createApiKey(): string {
  return `crf_${randomBytes(32).toString('base64url')}`;
}

/**
 * Creates an API key in the form of a token of REDCap, for clients of its API.
 *
 * @returns 128 random bits as 32 hexadecimal digits. It is shown once and not stored.
 */
export function createRedcapKey(): string {
  return randomBytes(16).toString('hex').toUpperCase();
}

/**
 * Hashes an API key, as the settings contain it.
 *
 * @returns 64 lower-case hexadecimal digits
 * @throws {ConfigurationError} it is not a key as created by `createApiKey` or `createRedcapKey`
 */
export function hashApiKey(key: string): string {
  if (!isApiKey(key)) throw new ConfigurationError([{ field: 'key', message: API_KEY_RULE }]);
  return digestOf(key).toString('hex');
}

/**
 * Finds the key that was presented. Compares in constant time (AUTH-05).
 *
 * @param now leaves out keys that have expired by then; without it they are found too
 */
export function findApiKey(keys: readonly ApiKey[], presented: string, now?: Date): ApiKey | undefined {
  if (!isApiKey(presented)) return undefined;
  const digest = digestOf(presented);
  return keys.find((key) => timingSafeEqual(digest, Buffer.from(key.sha256, 'hex')) && !isExpired(key, now));
}

/** Tokens of REDCap are the same in upper and lower case. @see docs/protocol/redcap.md 1.2 (client) */
function digestOf(key: string): Buffer {
  return hash('sha256', key.startsWith('crf_') ? key : key.toUpperCase(), 'buffer');
}

function isExpired({ expiresAt }: ApiKey, now: Date | undefined): boolean {
  return now !== undefined && expiresAt !== undefined && expiresAt.getTime() <= now.getTime();
}
