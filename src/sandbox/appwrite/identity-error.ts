/** Appwrite's errors by type, with status and message. @see docs/protocol/appwrite.md 4 (source) */
const ERRORS = {
  general_argument_invalid: [400, 'Invalid argument'],
  general_query_invalid: [400, 'Invalid query'],
  user_invalid_token: [401, 'Invalid token passed in the request.'],
  user_session_already_exists: [401, 'Creation of a session is prohibited when a session is active.'],
  general_unauthorized_scope: [401, 'The caller lacks the scopes of this route'],
  user_unauthorized: [401, 'The current user is not authorized to perform the requested action.'],
  user_blocked: [403, 'The current user has been blocked.'],
  project_not_found: [404, 'Project with the requested ID could not be found.'],
  user_not_found: [404, 'User with the requested ID could not be found.'],
  user_session_not_found: [404, 'The current user session could not be found.'],
  general_route_not_found: [404, 'The requested route was not found.'],
  general_unknown: [500, 'An unknown error has occurred. Please check the logs for more information.'],
} as const satisfies Record<string, readonly [number, string]>;

export type IdentityErrorType = keyof typeof ERRORS;

/** All error types of the sandbox. */
export const IDENTITY_ERROR_TYPES = Object.keys(ERRORS) as readonly IdentityErrorType[];

/** An error with the message and status of Appwrite. */
export class IdentityError extends Error {
  readonly status: number;

  constructor(
    readonly type: IdentityErrorType,
    message: string = ERRORS[type][1],
  ) {
    super(message);
    [this.status] = ERRORS[type];
  }

  /** Returns the body, which always has these four properties. @see docs/protocol/appwrite.md 2.4 (source) */
  toBody(): object {
    return { message: this.message, code: this.status, type: this.type, version: '1.9.6' };
  }
}

/**
 * Returns the error for an invalid parameter. It names the parameter, never its value.
 *
 * @see docs/protocol/appwrite.md 2.5 (source)
 */
export function invalidParameter(name: string): IdentityError {
  return new IdentityError('general_argument_invalid', `Invalid \`${name}\` param: Value must be valid.`);
}
