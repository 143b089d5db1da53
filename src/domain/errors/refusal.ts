import { InvalidRequestError } from './caller-errors.js';

/** Returns the error of a request of which one part breaks a rule. */
export function refusal(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}
