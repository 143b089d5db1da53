import { InvalidIdentifierError } from '../errors/caller-errors.js';
import type { Brand } from './brand.js';

/**
 * The URL of REDCap's API: an absolute `https:` URL, or `http:` on a loopback host, without credentials, query or
 * fragment, and with exactly one slash at the end.
 */
export type ApiUrl = Brand<string, 'ApiUrl'>;

/** Checks whether the value is such a URL in its normalised form. */
export function isApiUrl(value: unknown): value is ApiUrl {
  return typeof value === 'string' && normalised(value) === value;
}

/**
 * @returns the normalised URL; without the final slash REDCap answers 501, or redirects and loses the body
 * @throws {InvalidIdentifierError} naming the rule, never the refused value
 */
export function ApiUrl(value: string): ApiUrl {
  const url = normalised(value);
  if (isApiUrl(url)) return url;
  throw new InvalidIdentifierError('An API URL', API_URL_RULE);
}

/** The rule, worded as the end of a sentence, for problem details. */
export const API_URL_RULE =
  'must be an absolute https: URL (http: on a loopback host only) without credentials, query or fragment, and not a link-local address';

function normalised(value: string): string | undefined {
  // `URL` silently drops tabs, line breaks and surrounding blanks. The checked URL must be the given one.
  if (/[\s\u0000-\u001f\u007f-\u009f\\]/.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '' || value.includes('?') || value.includes('#'))
    return undefined;
  if (!isAllowedOrigin(url)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/`;
}

function isAllowedOrigin({ protocol, hostname }: URL): boolean {
  if (isLinkLocal(hostname)) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

/** Checks whether a host name, as spelled by `URL`, always refers to this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Cloud metadata services have link-local addresses. A token must never be sent there. */
function isLinkLocal(hostname: string): boolean {
  return /^169\.254\./.test(hostname) || /^\[fe[89ab]/i.test(hostname) || /^\[::ffff:a9fe:/i.test(hostname);
}

/** The rule for the endpoint of the identity backend, as the end of a sentence. */
export const IDENTITY_ENDPOINT_RULE =
  'must be an absolute https: URL (http: on a loopback host only) without credentials, query or fragment';

/** The rule for the target of sign-in links, as the end of a sentence. Plain http would send the secret unencrypted. */
export const LOGIN_URL_RULE =
  'must be an absolute https: URL (http: on a loopback host only) without credentials and fragment';

/**
 * Returns the endpoint without a trailing slash, or `undefined` if it breaks the rule. The SDK joins endpoint and path
 * as text and checks only the first seven characters.
 *
 * @see docs/protocol/appwrite.md 2.1 (client)
 */
export function toIdentityEndpoint(value: unknown): string | undefined {
  const url = toLoginUrl(value);
  if (url === undefined || String(value).includes('?')) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Returns the target of sign-in links, or `undefined` if it breaks the rule. */
export function toLoginUrl(value: unknown): URL | undefined {
  if (typeof value !== 'string' || /[\s\u0000-\u001f\u007f-\u009f\\#]/.test(value) || !URL.canParse(value))
    return undefined;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return undefined;
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  return isAllowed ? url : undefined;
}
