/** REDCap's refusal of a call: a status and a sentence, written in the format that the call asked errors in. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(text);
  }
}

/** The refusal of one parameter. @see docs/protocol/redcap.md 2.2 (client), 18 (choice) */
export function invalidParameter(name: string): ApiFailure {
  return new ApiFailure(400, `The value of the parameter "${name}" is not valid`);
}

/**
 * Refuses names that the project does not have.
 *
 * @throws {ApiFailure} 400 with the names
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
