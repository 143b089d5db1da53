/**
 * An API key of this service: `crf_` and 256 random bits in base64url, or 128 random bits in the form of a token of REDCap,
 * 32 hexadecimal digits.
 */
export const API_KEY_PATTERN = /^(?:crf_[A-Za-z0-9_-]{43}|[0-9A-Fa-f]{32})$/;

/** The rule, worded as the end of a sentence, for problem details. */
export const API_KEY_RULE = 'must be a key as createApiKey makes it, crf_…, or createRedcapKey';

/** Also for callers without types. */
export function isApiKey(value: unknown): value is string {
  return typeof value === 'string' && API_KEY_PATTERN.test(value);
}

/** The id of an Appwrite project. */
export const APPWRITE_PROJECT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The rule, worded as the end of a sentence, for problem details. */
export const APPWRITE_PROJECT_ID_RULE = 'must be a project id';

/** An API key of Appwrite: characters that are valid in a header. With others, `fetch` would throw an error with the key. */
export const APPWRITE_API_KEY_PATTERN = /^[\u0021-\u007e]{1,2048}$/;

/** The rule, worded as the end of a sentence, for problem details. */
export const APPWRITE_API_KEY_RULE = 'must be an API key: 1 to 2048 printable characters without blanks';

/** A name of a project of this service, in a path: `/projects/{name}`. */
export const PROJECT_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** The rule that such a name follows, as the end of a sentence. */
export const PROJECT_NAME_RULE = 'must begin with a lower-case letter and have up to 32 of a-z, 0-9, - and _';

/**
 * Checks whether the runtime knows a time zone of this name, such as `Europe/Paris`. An offset is not accepted, because
 * it has no daylight saving time.
 */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || /^[+-]|^$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The rule, worded as the end of a sentence. */
export const TIME_ZONE_RULE = 'must be the name of a time zone, as in Europe/Paris or UTC';
