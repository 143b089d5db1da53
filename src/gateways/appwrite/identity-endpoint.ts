import { isLoopbackHost } from '../../identifiers/api-url.js';

/** The rule as the end of a sentence, for problem details. */
export const IDENTITY_ENDPOINT_RULE =
  'must be an absolute https: URL (http: on a loopback host only) without credentials, query or fragment';

/**
 * The endpoint without a slash at its end, or nothing when it breaks the rule. The SDK joins endpoint and path as text,
 * and its own check looks at the first seven characters only.
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
