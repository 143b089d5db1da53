/** The part of a network error that may be shown: its code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export interface NetworkCause {
  readonly code: string;
}

/**
 * Reduces a Node.js error to its code. The original error can hold the request, which holds the token, so it must never
 * become the cause of one of our errors.
 */
export function toNetworkCause(error: unknown): NetworkCause {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return { code: typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN' };
}
