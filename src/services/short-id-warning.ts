import type { CallOptions, CrfClient, FieldSource, InfoSource } from '../gateways/redcap/crf-client.js';
import { isRecordId } from '../domain/identifiers/record-id.js';

/** How many rows are looked at. A project has either short ids or long ones. */
const MAX_ROWS = 100;

/**
 * Looks at the first ids of a project, in one call that is cancelled early.
 *
 * @returns a warning if they are shorter than new ids must be, and REDCap does not number the records; never an id
 * @throws {CrfError} errors of the client
 */
export async function shortIdWarning(
  client: FieldSource & InfoSource & Pick<CrfClient, 'streamRecords'>,
  minLength: number,
  call: CallOptions = {},
): Promise<string | undefined> {
  if (minLength === 1 || (await client.project.getInfo(call)).recordAutonumberingEnabled) return undefined;
  const [idField] = await client.fields.list(call);
  if (idField === undefined) return undefined;
  for await (const row of client.streamRecords({ ...call, fields: [idField.name], limit: MAX_ROWS })) {
    if (!isRecordId(String(row[idField.name]), minLength))
      return `Records have ids of fewer than ${minLength} characters, but new ones must not: set RECORD_ID_MIN_LENGTH if they should be like those`;
  }
  return undefined;
}
