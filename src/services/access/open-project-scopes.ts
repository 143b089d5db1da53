import type { Scope } from '../../domain/identifiers/scope.js';

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
