import { hasMethods } from '../../domain/identifiers/check-options.js';
import type { FieldProblem } from '../../domain/errors/field-problem.js';
import { AUTH_RULE } from '../../services/auth/auth-arguments.js';

/** Returns the error if a hook that only asks who is signed in is not given an authentication service. */
export function sessionAuthProblems(auth: unknown): FieldProblem[] {
  return hasMethods(auth, 'currentUser') ? [] : [{ field: 'auth', message: AUTH_RULE }];
}

/** Returns the error if a hook is given arguments that it would ignore, such as the scopes of another hook. */
export function ignoredArguments(given: readonly unknown[], hint: string): FieldProblem[] {
  return given.some((argument) => argument !== undefined) ? [{ field: 'options', message: hint }] : [];
}
