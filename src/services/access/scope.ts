/** What a caller may be allowed to do. An API key lists its scopes; sessions have `SESSION_SCOPES`. */
export const SCOPES = [
  'project:read',
  'design:write',
  'records:read',
  'records:write',
  'records:delete',
  'files:read',
  'files:write',
  'surveys:read',
  'logs:read',
  'users:read',
  'users:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * What nobody in particular may do in open mode in front of a configured project. Design, users, deletion, files, logs and
 * survey links are given by name only: to an API key, or by `SESSION_SCOPES`.
 */
export const OPEN_PROJECT_SCOPES: readonly Scope[] = [
  'project:read',
  'records:read',
  'records:write',
  'users:read',
];

export function isScope(value: unknown): value is Scope {
  return SCOPES.includes(value as Scope);
}
