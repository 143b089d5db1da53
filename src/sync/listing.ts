import { createHmac } from 'node:crypto';
import type { ProjectStructure } from '../domain/dictionary/project-structure.js';
import type { CrfClient } from '../gateways/redcap/crf-client.js';
import type { ChangeStore, EngineState } from './change-store.js';
import type { LogReading } from './log-window.js';

/** The records that a project has, which is the truth of existence. */
export interface Listing {
  readonly ids: readonly string[];
  /** The unique name of each record's data access group; empty if it has none. */
  readonly groups: readonly string[];
  /** A keyed digest of all of it: a look that finds the same again does not have to compare. */
  readonly digest: string;
}

/** What a list says about the records that are known. */
export interface Comparison {
  /** How many records are known. */
  readonly known: number;
  readonly vanished: readonly string[];
  /** The records to read: the new, the regrouped, the candidates, and in a sweep those that it has not read. */
  readonly wanted: readonly string[];
  /** Whether the list and what is known have the same records in the same groups. */
  readonly isEqual: boolean;
}

/** Reads the list of a project's records. */
export async function listRecords(
  source: Pick<CrfClient, 'streamRecords'>,
  { dictionary }: ProjectStructure,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Listing> {
  const idField = dictionary.recordIdField?.name ?? '';
  const [ids, groups]: [string[], string[]] = [[], []];
  // A record has a row for each event and instance; its rows follow each other. @see docs/protocol/redcap.md 4.3 (wire)
  for await (const row of source.streamRecords({ fields: [idField], exportDataAccessGroups: true, signal })) {
    const id = `${row[idField]}`;
    if (id === ids.at(-1)) continue;
    ids.push(id);
    groups.push(`${row['redcap_data_access_group'] ?? ''}`);
  }
  const digest = createHmac('sha256', key)
    .update(JSON.stringify([ids, groups]))
    .digest('base64url');
  return { ids, groups, digest };
}

/** Compares a list with what is known. */
export async function compare(
  listing: Listing,
  store: ChangeStore,
  { sweep, isSweeping, listed, log }: EngineState,
  reading: LogReading | undefined,
): Promise<Comparison> {
  const candidates = reading?.state.candidates ?? log.candidates;
  if (listing.digest === listed && !isSweeping) {
    const known = await store.known(Object.keys(candidates));
    return { known: listing.ids.length, vanished: [], wanted: [...known.keys()], isEqual: true };
  }
  const unseen = groupsById(listing);
  const [vanished, wanted]: [string[], string[]] = [[], []];
  let [known, isEqual] = [0, true];
  for await (const { record, group, swept } of store.all()) {
    known += 1;
    const now = unseen.get(record);
    unseen.delete(record);
    if (now === undefined) vanished.push(record);
    else if (group !== now || Object.hasOwn(candidates, record) || (isSweeping && swept !== sweep))
      wanted.push(record);
    if (group !== now) isEqual = false;
  }
  return { known, vanished, wanted: [...wanted, ...unseen.keys()], isEqual: isEqual && unseen.size === 0 };
}

/** Returns the old names of the records that may have been renamed, through names that they had in between. */
export async function renamesIn(
  reading: LogReading | undefined,
  listing: Listing,
  store: ChangeStore,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const logged = reading?.renames ?? new Map<string, string>();
  if (logged.size === 0) return found;
  const listed = new Set(listing.ids);
  const known = await store.known([...logged.keys(), ...logged.values()]);
  const taken = new Set<string>();
  for (const to of logged.keys()) {
    if (known.has(to) || !listed.has(to)) continue;
    let from = logged.get(to);
    for (let step = 0; from !== undefined && !known.has(from) && step < 100; step++) from = logged.get(from);
    if (from === undefined || !known.has(from) || listed.has(from) || taken.has(from)) continue;
    taken.add(from);
    found.set(to, from);
  }
  return found;
}

function groupsById({ ids, groups }: Listing): Map<string, string> {
  return new Map(ids.map((id, at) => [id, groups[at] ?? '']));
}
