/** An error response of REDCap: a status and a message, written in the format that the call requests for errors. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(text);
  }
}

/** Returns the error for an invalid parameter. @see docs/protocol/redcap.md 2.2 (client), 18 (choice) */
export function invalidParameter(name: string): ApiFailure {
  return new ApiFailure(400, `The value of the parameter "${name}" is not valid`);
}

/**
 * Refuses names that do not exist in the project.
 *
 * @throws {ApiFailure} 400 with the unknown names
 * @see docs/protocol/redcap.md 2.2 (client)
 */
export function refuseUnknown(
  parameter: string,
  names: readonly string[] | undefined,
  isKnown: (name: string) => boolean,
): void {
  const unknown = names?.filter((name) => !isKnown(name)) ?? [];
  if (unknown.length === 0) return;
  const list = unknown.map((name) => `'${name}'`).join(', ');
  throw new ApiFailure(400, `The following values in the parameter "${parameter}" are not valid: ${list}`);
}

/** The error for every invalid token, with status 403. @see docs/protocol/redcap.md 1.9 (wire) */
export const NO_PERMISSION = 'You do not have permissions to use the API';
