/** The id of an Appwrite project. */
export const APPWRITE_PROJECT_ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The rule, worded as the end of a sentence, for problem details. */
export const APPWRITE_PROJECT_ID_RULE = 'must be a project id';

/** An API key of Appwrite: characters that are valid in a header. With others, `fetch` would throw an error with the key. */
export const APPWRITE_API_KEY_PATTERN = /^[\u0021-\u007e]{1,2048}$/;

/** The rule, worded as the end of a sentence, for problem details. */
export const APPWRITE_API_KEY_RULE = 'must be an API key: 1 to 2048 printable characters without blanks';
