/** States of a server in which it answers, but can keep nothing. */
const USELESS: ReadonlySet<string> = new Set([
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

/** @returns why a command failed, as one fixed word: a code of Node, the first word of Redis's refusal, or a class */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return code;
  const [word = ''] = error.message.split(' ', 1);
  return /^[A-Z]{3,20}$/.test(word) ? word : error.name;
}

/** @returns whether the server as a whole is of no use now, and not one command alone */
export function isServerUseless(reason: string): boolean {
  return USELESS.has(reason);
}
