/** Scopes for structure only. A call that needs no other scope is not audited. */
const UNAUDITED: ReadonlySet<string> = new Set(['project:read']);

/** @returns whether a call with these scopes is audited. Unknown scopes are audited by default (GW-04). */
export function isAudited(scopes: readonly string[]): boolean {
  return scopes.some((scope) => !UNAUDITED.has(scope));
}
