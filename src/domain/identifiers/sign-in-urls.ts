import { isLoopbackHost } from './api-url.js';

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
  if (typeof value !== 'string' || /[\s\u0000-\u001f\u007f-\u009f\\#]/.test(value) || !URL.canParse(value)) {
    return undefined;
  }
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return undefined;
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  return isAllowed ? url : undefined;
}
