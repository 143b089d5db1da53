const SESSION_ID_PATTERN = /^(?:current|[A-Za-z0-9][A-Za-z0-9._-]{0,63})$/;
/** Standard base64 of a small JSON object. @see docs/protocol/appwrite.md 7.3 (source, measured) */
const SESSION_SECRET_PATTERN = /^[A-Za-z0-9+/]{64,2048}={0,2}$/;

/** Checks whether the value can be a session id; `current` is the presented session. */
export function isSessionId(value: string): boolean {
  return SESSION_ID_PATTERN.test(value);
}

/** Checks whether the value can be a session secret. A line break in it would make `fetch` throw. */
export function isSessionSecret(value: string): boolean {
  return SESSION_SECRET_PATTERN.test(value);
}
