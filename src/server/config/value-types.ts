import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { isProxyNetwork } from '../../domain/identifiers/proxy-network.js';
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
