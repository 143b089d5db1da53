/** Error codes of a server that answers but cannot store anything. */
const UNUSABLE_CODES: ReadonlySet<string> = new Set([
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'NOAUTH',
  'NOREPLICAS',
  'OOM',
  'READONLY',
]);

/**
 * @returns the reason of a failed command as one fixed word: a Node.js error code, Redis's error code, or the error's
 *   class
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
  const [word = ''] = error.message.split(' ', 1);
  if (/^[A-Z]{3,20}$/.test(word)) return word;
  // The library's own classes leave `name` as it is: the class says more.
  return error.name === 'Error' ? error.constructor.name : error.name;
}

/** @returns whether the whole server is currently unusable, as opposed to a single failed command */
export function isServerUseless(reason: string): boolean {
  return UNUSABLE_CODES.has(reason);
}
