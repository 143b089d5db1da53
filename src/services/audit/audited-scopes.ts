/** Structure, and no data: a call that needs nothing else leaves no trace in the audit log. */
const UNAUDITED: ReadonlySet<string> = new Set(['project:read']);

/** @returns whether a call with these scopes is audited. A scope that nobody thought of is: audited by default (GW-04). */
export function isAudited(scopes: readonly string[]): boolean {
  return scopes.some((scope) => !UNAUDITED.has(scope));
}
