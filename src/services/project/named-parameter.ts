import { UpstreamRejectedError } from '../../errors/upstream-errors.js';

/**
 * Makes a call about one thing through a method that takes a list, and names the caller's own parameter if REDCap
 * refuses the list.
 *
 * @param list the list, as the client library calls it
 * @param parameter what the caller gave, and the rule it breaks if REDCap does not know it
 * @throws {UpstreamRejectedError} names `parameter`
 */
export async function withNamedParameter<Value>(
  call: Promise<Value>,
  list: string,
  parameter: { readonly field: string; readonly message: string },
): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof UpstreamRejectedError) || error.errors?.[0]?.field !== list) throw error;
    const { field, message } = parameter;
    throw new UpstreamRejectedError(`${field} ${message}.`, { errors: [parameter], cause: error });
  }
}
