/** An API key of this service: `crf_` and 256 random bits in base64url. */
export const API_KEY_PATTERN = /^crf_[A-Za-z0-9_-]{43}$/;

/** The rule, worded as the end of a sentence, for problem details. */
export const API_KEY_RULE = 'must be a key as createApiKey makes it, crf_…';

/** Also for callers without types. */
export function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && API_KEY_PATTERN.test(value);
}
