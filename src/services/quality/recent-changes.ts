import type { ProjectStructure } from '../../domain/dictionary/project-structure.js';
import { formStatusName } from '../../domain/dictionary/export-column.js';
import { InsufficientScopeError } from '../../domain/errors/access-errors.js';
import { refusal } from '../../domain/errors/refusal.js';
import type { CallOptions, CrfCalls } from '../../gateways/redcap/crf-client.js';
import type { LogEntry } from '../../gateways/redcap/contents/log.js';
import type { Scope } from '../../domain/identifiers/scope.js';
import type { QualityFinding } from '../../records/rules/quality-finding.js';
import { streamLog } from '../log/stream-log.js';

/** What was entered or changed since a time, as far as the log says. */
export interface RecentChanges {
  readonly records: ReadonlySet<string>;
  /** Whether the field of a finding, or the status of its form, was entered or changed. */
  readonly has: (
    finding: Pick<QualityFinding, 'record' | 'event' | 'instrument' | 'instance' | 'field'>,
  ) => boolean;
}

/** The most changes of fields that are held, in some 50 MB: 100,000 saves of ten fields. */
const MOST_CHANGES = 1_000_000;

/**
 * Reads which fields of which records were entered or changed since a time. Only names are kept, never values.
 *
 * The log names a record as it was called at the time, and the event by its label; an entry that names no event may be
 * of any. What was changed before a record was deleted does not count for one that was created under its name.
 *
 * @param from the time by its name in a request, as `ServerTime.periodOf` has it
 * @throws {InvalidRequestError} more was changed since than can be held
 * @throws {CrfError} errors of `Log.open`: the token has no right to the log, for example
 * @see docs/protocol/redcap.md 13.2 (client, doc)
 */
export async function readRecentChanges(
  source: Pick<CrfCalls, 'log'>,
  structure: ProjectStructure,
  from: Readonly<Record<string, string>>,
  call: CallOptions,
): Promise<RecentChanges> {
  const [[name = '', since = ''] = []] = Object.entries(from);
  const { dictionary } = structure;
  const changed = new Map<string, Set<string>>();
  let changes = 0;
  for await (const { record, event, instance, fields } of changesSince(source, structure, since, call)) {
    const places = changed.get(record) ?? new Set();
    changed.set(record, places);
    const before = places.size;
    for (const field of fields) places.add(placeOf(event, instance, field));
    changes += places.size - before;
    if (changes > MOST_CHANGES) throw refusal(name, 'must be later: more was changed since than is read');
  }
  return {
    records: new Set(changed.keys()),
    has: ({ record, event, instrument, instance, field }) => {
      const places = changed.get(record);
      if (places === undefined) return false;
      // The log has the name of a checkbox field without the choice.
      const name = dictionary.column(field)?.field?.name ?? field;
      return [event, ANY_EVENT].some((at) =>
        [name, formStatusName(instrument)].some((each) => places.has(placeOf(at, instance ?? 1, each))),
      );
    },
  };
}

/** What one entry of the log says of a record. */
export interface Change {
  readonly record: string;
  /** The unique event name; `*` if the entry names no event, and empty if the project has none of its name. */
  readonly event: string;
  readonly instance: number;
  /** The names of the fields and form statuses that were entered or changed. */
  readonly fields: readonly string[];
  /** The day of the entry, `YYYY-MM-DD`, in the time of REDCap's server. */
  readonly day: string;
}

/**
 * Yields what was entered or changed since a time, newest first; nothing of a record before it was
 * deleted. Memory: the names of the records that were deleted.
 *
 * @throws {CrfError} errors of `Log.open`
 */
export async function* changesSince(
  source: Pick<CrfCalls, 'log'>,
  structure: ProjectStructure,
  since: string,
  call: CallOptions,
): AsyncGenerator<Change, void, undefined> {
  const { dictionary } = structure;
  // The names of an entry are parts of its text, which they would keep in memory.
  const names = new Map(
    [...dictionary.fields.map(({ name }) => name), ...dictionary.instruments.map(formStatusName)].map(
      (name) => [name, name],
    ),
  );
  const events = new Map(
    structure.events.map(({ arm, label, uniqueName }) => [`${arm} ${label}`, uniqueName]),
  );
  const deleted = new Set<string>();
  const selection = { type: 'record' as const, from: since, ...call };
  for await (const entry of streamLog(source.log, selection)) {
    const { action, record, at } = entry;
    if (record === undefined || deleted.has(record)) continue;
    if (action === 'record_deleted') deleted.add(record);
    if (action !== 'record_created' && action !== 'record_updated') continue;
    const fields = entry.fields.flatMap((name) => names.get(name) ?? []);
    // The log names no instance if it is the first. @see docs/protocol/redcap.md 13.2 (client)
    const instance = entry.instance ?? 1;
    yield { record, event: eventOf(entry, events), instance, fields, day: at.slice(0, 10) };
  }
}

/**
 * Returns which records to read: those that were changed, of the named ones if there are names. Undefined stands for all
 * of them, when more were changed than REDCap takes by name.
 */
export function changedAmong(
  named: readonly string[] | undefined,
  { records }: Pick<RecentChanges, 'records'>,
): readonly string[] | undefined {
  if (named !== undefined) return named.filter((record) => records.has(record));
  return records.size > MOST_NAMED ? undefined : [...records];
}

/** A REDCap with the default limits of PHP takes no more values in one call. */
const MOST_NAMED = 900;

/** @throws {InsufficientScopeError} findings are selected by what the log says, which the caller may not read */
export function requireLogScope(changedFrom: string | undefined, scopes: readonly Scope[]): void {
  if (changedFrom !== undefined && !scopes.includes('log:read'))
    throw new InsufficientScopeError(['log:read']);
}

/** No event has this name. */
const ANY_EVENT = '*';

function eventOf({ eventLabel, arm }: LogEntry, events: ReadonlyMap<string, string>): string {
  if (eventLabel === undefined) return ANY_EVENT;
  return events.get(`${arm} ${eventLabel}`) ?? '';
}

function placeOf(event: string, instance: number, field: string): string {
  return `${event}\n${instance}\n${field}`;
}
