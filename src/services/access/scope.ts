/** The permissions that a caller may have. An API key lists its scopes; sessions have `SESSION_SCOPES`. */
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
 * The scopes of anonymous callers in open mode with a configured project. Design, users, deletion, files, logs and
 * survey links must be granted explicitly, to an API key or in `SESSION_SCOPES`.
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
