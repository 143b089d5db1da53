import { hasMethods } from '../errors/check-options.js';
import type { FieldProblem } from '../errors/field-problem.js';

/** Returns the error if a hook is not given an authentication service. */
export function authProblems(auth: unknown): FieldProblem[] {
  if (hasMethods(auth, 'currentUser')) return [];
  return [{ field: 'auth', message: 'must be an authentication service, as createAuthService makes it' }];
}
