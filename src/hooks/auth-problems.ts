import { hasMethods } from '../errors/check-options.js';
import type { FieldProblem } from '../errors/field-problem.js';

/** @returns what is wrong when a hook is given something else than an authentication service */
export function authProblems(auth: unknown): FieldProblem[] {
  if (hasMethods(auth, 'currentUser')) return [];
  return [{ field: 'auth', message: 'must be an authentication service, as createAuthService makes it' }];
}
