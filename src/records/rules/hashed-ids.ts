import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import type { RecordRow } from '../../gateways/redcap/crf-client.js';
import { recordsOf } from './records-of.js';

/** REDCap hashes the record ids that it answers to this token, so nobody can tell which record is which. */
export class HashedIdsError extends InvalidRequestError {
  /** @param option the option that needs the ids */
  constructor(option: string) {
    const message =
      'cannot be used with this token: its rights are de-identified, and REDCap answers hashed record ids';
    super([{ field: option, message }]);
  }
}

/**
 * Returns whether an id is a hash. De-identified exports hash record names to 32 hexadecimal characters.
 *
 * @see docs/protocol/redcap.md 4.7 (doc, client)
 */
export function isHash(id: string): boolean {
  return /^[0-9a-f]{32}$/i.test(id);
}

/**
 * Yields the records of an export that was asked for by id, as `recordsOf` does.
 *
 * @param asked the ids
 * @param option the option of the caller for which they are read
 * @throws {HashedIdsError} REDCap answers hashed ids: every record would seem not to be there
 * @throws {UpstreamInvalidError} as `recordsOf`
 */
export async function* askedRecordsOf(
  exported: AsyncIterable<RecordRow>,
  structure: ProjectStructure,
  asked: ReadonlyMap<string, unknown>,
  option: string,
): AsyncGenerator<readonly [id: string, rows: RecordRow[]], void, undefined> {
  for await (const record of recordsOf(exported, structure)) {
    const [id] = record;
    if (!asked.has(id) && isHash(id)) throw new HashedIdsError(option);
    yield record;
  }
}
