import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import { refuseProblems } from '../../domain/identifiers/check-options.js';

/**
 * Checks that the body of a request is an object and has every required field as an own property that is neither `null`
 * nor empty.
 *
 * @param fields the required fields; by default `email`, which signup needs
 * @throws {InvalidRequestError} names every missing field
 * @throws {ConfigurationError} the fields are not a list
 */
export function checkRequestBody<Field extends string = 'email'>(
  body: unknown,
  fields: readonly Field[] = ['email' as Field],
): Record<Field, unknown> & Record<string, unknown> {
  refuseProblems(Array.isArray(fields) ? [] : [{ field: 'fields', message: 'must be a list of names' }]);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw refusal('body', 'must be a JSON object');
  const missing = fields.filter((field) => !isPresent(body, field));
  if (missing.length > 0)
    throw new InvalidRequestError(missing.map((field) => ({ field, message: 'is required' })));
  return body as Record<Field, unknown> & Record<string, unknown>; // checked above, but types cannot express it
}

/** Uses `hasOwn`, because every body inherits properties such as `toString` and `constructor`. */
function isPresent(body: object, field: string): boolean {
  const value: unknown = Object.hasOwn(body, field) ? Reflect.get(body, field) : undefined;
  return value !== undefined && value !== null && value !== '';
}
