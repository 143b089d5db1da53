/** What may be shown of a failure of the network: its code, as in `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export interface NetworkCause {
  readonly code: string;
}

/**
 * Reduces an error of Node's to its code. The original may hold the request, and the request holds the token:
 * it never becomes the cause of an error of ours.
 */
export function toNetworkCause(error: unknown): NetworkCause {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return { code: typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN' };
}
