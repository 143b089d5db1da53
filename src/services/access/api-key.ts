import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../../errors/operator-errors.js';
import type { Scope } from './scope.js';

/** An API key as the service knows it: never the key, only its SHA-256. */
export interface ApiKey {
  /** Who it was given to; stands in the log. */
  readonly name: string;
  /** SHA-256 of the whole key, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly scopes: readonly Scope[];
  /** The moment from which it is refused; never when absent. */
  readonly expiresAt?: Date | undefined;
}

export const API_KEY_PATTERN = /^crf_[A-Za-z0-9_-]{43}$/;

/** @returns a new key: `crf_` and 256 random bits in base64url. It is shown once and kept nowhere. */
export function createApiKey(): string {
  return `crf_${randomBytes(32).toString('base64url')}`;
}

/**
 * @returns what is kept of a key: 64 lower-case hexadecimal digits
 * @throws {ConfigurationError} it is no key as `createApiKey` makes them
 */
export function hashApiKey(key: string): string {
  if (typeof key !== 'string' || !API_KEY_PATTERN.test(key))
    throw new ConfigurationError([
      { field: 'key', message: 'must be a key as createApiKey makes it, crf_…' },
    ]);
  return createHash('sha256').update(key).digest('hex');
}

/** @returns the key of the list that was presented and has not expired, if any. Compares in constant time (AUTH-05). */
export function findApiKey(keys: readonly ApiKey[], presented: string, now: Date): ApiKey | undefined {
  if (!API_KEY_PATTERN.test(presented)) return undefined;
  const digest = createHash('sha256').update(presented).digest();
  return keys.find((key) => timingSafeEqual(digest, Buffer.from(key.sha256, 'hex')) && !isExpired(key, now));
}

function isExpired({ expiresAt }: ApiKey, now: Date): boolean {
  return expiresAt !== undefined && expiresAt.getTime() <= now.getTime();
}
