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
 * Hashes an API key, as the settings contain it.
 *
 * @returns 64 lower-case hexadecimal digits
 * @throws {ConfigurationError} it is not a key as created by `createApiKey`
 */
export function hashApiKey(key: string): string {
  if (!isApiKey(key)) throw new ConfigurationError([{ field: 'key', message: API_KEY_RULE }]);
  return hash('sha256', key, 'hex');
}

/**
 * Finds the key that was presented. Compares in constant time (AUTH-05).
 *
 * @param now leaves out keys that have expired by then; without it they are found too
 */
export function findApiKey(keys: readonly ApiKey[], presented: string, now?: Date): ApiKey | undefined {
  if (!isApiKey(presented)) return undefined;
  const digest = hash('sha256', presented, 'buffer');
  return keys.find((key) => timingSafeEqual(digest, Buffer.from(key.sha256, 'hex')) && !isExpired(key, now));
}

function isExpired({ expiresAt }: ApiKey, now: Date | undefined): boolean {
  return now !== undefined && expiresAt !== undefined && expiresAt.getTime() <= now.getTime();
}
