import type { CallOptions, CrfClient, RecordSelection } from '../../gateways/redcap/crf-client.js';
import { Logic, CheckedFilter } from '../../domain/logic/builder.js';
import type { LogicNote } from '../../domain/logic/logic-problem.js';

/**
 * Checks a filter once. What is no filter, or a blank one, is refused with the other options, and a client that
 * cannot check gets it as it is.
 *
 * @throws {InvalidRequestError} the logic is certainly wrong
 * @throws {CrfError} errors of `CrfClient.checkFilterLogic`
 */
export async function checkedFilter(
  client: Partial<Pick<CrfClient, 'checkFilterLogic'>>,
  filterLogic: RecordSelection['filterLogic'],
  { signal, caller }: Pick<CallOptions, 'signal' | 'caller'>,
): Promise<RecordSelection['filterLogic']> {
  if (filterLogic instanceof CheckedFilter) return filterLogic;
  const isFilter = typeof filterLogic === 'string' || filterLogic instanceof Logic;
  if (!isFilter) return filterLogic;
  const text = String(filterLogic);
  const notes =
    text.trim() === '' ? undefined : await client.checkFilterLogic?.(filterLogic, { signal, caller });
  return notes === undefined ? filterLogic : new CheckedFilter(text, notes);
}

/** Returns the notes about a filter as a part of an export; nothing if there are none. */
export function filterNotesOf(filterLogic: RecordSelection['filterLogic']): {
  readonly filterNotes?: readonly LogicNote[];
} {
  const notes = filterLogic instanceof CheckedFilter ? filterLogic.notes : [];
  return notes.length === 0 ? {} : { filterNotes: notes };
}
