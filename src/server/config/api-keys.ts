import { isDay } from '../../domain/dictionary/text-validations.js';
import { isScope, SCOPES, type Scope } from '../../domain/identifiers/scope.js';

/** One entry of `API_KEYS`. */
export interface ApiKeySetting {
  readonly name: string;
  /** The SHA-256 of the key, as 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
}

const ENTRY = /^([A-Za-z0-9._-]{1,64}):([0-9a-fA-F]{64}):([a-z:+]+?)(?::(\d{4}-\d{2}-\d{2}))?$/;

/**
 * Parses `name:sha256:scope+scope[:YYYY-MM-DD]` entries, separated by commas, semicolons or white space. A key expires
 * at the end of its day, in UTC.
 *
 * @returns the keys, or an error message, which gives the position of the entry but never its text
 */
export function parseApiKeys(text: string): readonly ApiKeySetting[] | string {
  const keys: ApiKeySetting[] = [];
  for (const [index, entry] of splitList(text).entries()) {
    const key = parseEntry(entry);
    if (key === undefined)
      return `has a malformed entry at position ${index + 1}: name:sha256:scope+scope[:YYYY-MM-DD]`;
    if (keys.some(({ sha256 }) => sha256 === key.sha256))
      return `names the same key twice, at position ${index + 1}`;
    keys.push(key);
  }
  // An empty list would open the service to everybody while it looks protected.
  return keys.length > 0 ? keys : 'has no entry: leave it unset, or set it to name:sha256:scope+scope';
}

/** Returns the end of a day in UTC, or undefined if the date does not exist. */
export function endOfDay(day: string): Date | undefined {
  return isDay(day) ? new Date(Date.parse(day) + 24 * 60 * 60 * 1000) : undefined;
}

/** Parses a list of scopes. @returns the scopes, or an error message */
export function parseScopes(text: string): readonly Scope[] | string {
  const names = splitList(text);
  return names.every(isScope) ? [...new Set(names)] : `may contain only ${SCOPES.join(', ')}`;
}

function parseEntry(entry: string): ApiKeySetting | undefined {
  const [, name, sha256, scopeText, expires] = ENTRY.exec(entry) ?? [];
  if (name === undefined || sha256 === undefined || scopeText === undefined) return undefined;
  const scopes = scopeText.split('+');
  const expiresAt = expires === undefined ? undefined : endOfDay(expires);
  if (!scopes.every(isScope) || (expires !== undefined && expiresAt === undefined)) return undefined;
  return { name, sha256: sha256.toLowerCase(), scopes, ...(expiresAt && { expiresAt }) };
}

function splitList(text: string): string[] {
  return text.split(/[\s,;]+/).filter((item) => item !== '');
}
