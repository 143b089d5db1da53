/** The permissions that a caller may have. An API key lists its scopes; sessions have `SESSION_SCOPES`. */
export const SCOPES = [
  'project:read',
  'design:write',
  'design:delete',
  'records:read',
  'records:write',
  'records:delete',
  'files:read',
  'files:write',
  'surveys:read',
  'log:read',
  'users:read',
  'users:write',
] as const;

/** One permission of a caller, such as `records:read`. */
export type Scope = (typeof SCOPES)[number];

export function isScope(value: unknown): value is Scope {
  return SCOPES.includes(value as Scope);
}
