/** What a caller may be allowed to do. An API key lists its scopes; sessions have `SESSION_SCOPES`. */
export const SCOPES = ['project:read', 'records:read', 'records:write', 'users:read'] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(value: unknown): value is Scope {
  return SCOPES.includes(value as Scope);
}
