import { isLoopbackHost } from '../../identifiers/api-url.js';

/** The rule, worded as the end of a sentence, for problem details. */
export const IDENTITY_ENDPOINT_RULE =
  'must be an absolute https: URL (http: on a loopback host only) without credentials, query or fragment';

/**
 * Returns the endpoint without a trailing slash, or `undefined` if it breaks the rule. The SDK joins endpoint and path
 * as text and checks only the first seven characters.
 *
 * @see docs/protocol/appwrite.md 2.1 (client)
 */
export function identityEndpoint(value: unknown): string | undefined {
  if (typeof value !== 'string' || /[\s\u0000-\u001f\u007f-\u009f\\?#]/.test(value) || !URL.canParse(value)) {
    return undefined;
  }
  const url = new URL(value);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (!isAllowed || url.username !== '' || url.password !== '') return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
