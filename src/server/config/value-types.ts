import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { isDay } from '../../domain/dictionary/text-validations.js';
import { isProxyNetwork } from '../../domain/identifiers/proxy-network.js';
import { isScope, type Scope, SCOPES } from '../../domain/identifiers/scope.js';
import { Secret } from '../../domain/identifiers/secret.js';

/** A whole number within limits. */
export function integer(minimum: number, maximum: number) {
  return z.string().transform((text, context) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    context.addIssue(`must be a whole number from ${minimum} to ${maximum}`);
    return z.NEVER;
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;
export const milliseconds = integer(1, DAY_MS);
export const pause = integer(0, DAY_MS);

export function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values, { error: `must be ${values.join(', ')}` });
}

/** A setting that is on or off. */
export const flag = (unset: 'true' | 'false') =>
  oneOf('true', 'false')
    .default(unset)
    .transform((text) => text === 'true');

/** A text converted by a parser that returns a value, or an error message as a string. */
export function parsed<Value>(parse: (text: string) => Value | string) {
  return z.string().transform((text, context) => {
    const value = parse(text);
    if (typeof value !== 'string') return value;
    context.addIssue(value);
    return z.NEVER;
  });
}

export const text = z.string().optional();

/** A calendar date in ISO 8601. */
export const date = z.iso.date({ error: 'must be a date, as in 2026-01-31' }).optional();

export const hostName = z
  .string()
  .regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an address')
  .default('127.0.0.1');

/** Wraps a secret, so that nothing shows it. */
export const toSecret = (text: string): Secret => new Secret(text);

/** A key that an operator makes up. */
export const madeUpSecret = z
  .string()
  .regex(/^[\x21-\x7e]{32,256}$/, 'must have 32 to 256 printable characters without blanks')
  .transform(toSecret)
  .optional();

/** The destination of the audit log. */
export type AuditLogTarget =
  { readonly kind: 'off' } | { readonly kind: 'stdout' } | { readonly kind: 'file'; readonly path: string };

/** Parses `AUDIT_LOG`. @returns the destination, or an error message */
export function parseAuditLog(text: string): AuditLogTarget | string {
  if (text === 'off' || text === 'stdout') return { kind: text };
  const [, path = ''] = /^file:(.+)$/.exec(text) ?? [];
  if (isAbsolute(path)) return { kind: 'file', path };
  return 'must be off, stdout, or file: and an absolute path';
}

/**
 * Parses a number of proxies, or their addresses and networks. `true` is refused, because it would trust the header of
 * any client, which could then choose its own address (RATE-03).
 *
 * @returns the value for Express's `trust proxy`, or an error message
 */
export function parseTrustProxy(text: string): number | readonly string[] | string {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const parts = text.split(',').map((part) => part.trim());
  return parts.every(isProxyNetwork)
    ? parts
    : 'must be a number of proxies, or addresses and networks separated by commas; true is refused';
}

/**
 * Parses the origins whose pages may call the API. `*` is refused: every page that anybody writes could try keys.
 *
 * @returns the origins as browsers send them, or the rule that one of them breaks
 */
export function parseAllowedOrigins(text: string): string[] | string {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  const isOrigin = (item: string) =>
    /^https?:\/\//.test(item) && URL.canParse(item) && new URL(item).origin === item;
  return items.every(isOrigin)
    ? items
    : 'must be a list of origins, as in https://app.example.org: lower case, without a path, and never *';
}

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
      return `has a malformed entry at position ${index + 1}; crf key create prints what it takes: name:sha256:scope+scope[:YYYY-MM-DD]`;
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
