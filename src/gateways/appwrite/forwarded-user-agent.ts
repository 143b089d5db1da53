const MAX_LENGTH = 256;

/**
 * Returns a browser's user agent in a form that can be forwarded: printable ASCII, at most 256 characters; `undefined`
 * if nothing is left.
 *
 * A control character, or one above U+00FF, would make `fetch` throw before anything is sent.
 *
 * @see docs/protocol/appwrite.md 2.2 (client), 10
 */
export function forwardedUserAgent(value: string | undefined): string | undefined {
  const clean = value
    ?.slice(0, 4 * MAX_LENGTH)
    .replace(/[^\u0020-\u007e]/g, '')
    .trim();
  return clean === undefined || clean === '' ? undefined : clean.slice(0, MAX_LENGTH);
}
