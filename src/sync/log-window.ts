import { createHmac } from 'node:crypto';
import type { LogEntry } from '../gateways/redcap/crf-client.js';

/** What is remembered of the log between two looks. */
export interface LogState {
  /** The newest time in the log, `YYYY-MM-DD HH:MM` of the server; empty before the first entry. */
  readonly newest: string;
  /** The entries of the window by their minute and a keyed digest, with their number: details hold values of records. */
  readonly seen: Readonly<Record<string, number>>;
  /** When each candidate was named last, in milliseconds of our clock. */
  readonly candidates: Readonly<Record<string, number>>;
  /** When we read the log without having found the entry of that reading yet, oldest first. */
  readonly awaited: readonly number[];
  /** Whether reading the log was ever seen to leave an entry. */
  readonly leavesTrace: boolean;
}

export const EMPTY_LOG: LogState = { newest: '', seen: {}, candidates: {}, awaited: [], leavesTrace: false };

/** What one reading of the log shows. */
export interface LogReading {
  readonly state: LogState;
  /** Old names by new names, from entries that may be of a rename. */
  readonly renames: ReadonlyMap<string, string>;
  /** Whether somebody may have changed the design or the rights. */
  readonly isRedesigned: boolean;
  /** Whether entries that must be there are not: the log is purged, very late, or its clock was set. */
  readonly hasGap: boolean;
}

const MINUTE = 60_000;
/** For how long a candidate is read again: a replica may answer an export older than the log. */
export const OVERLAP_MS = 10 * MINUTE;
/**
 * How far back the log is read from its newest entry: the hour that a clock is set back for the winter, and a quarter
 * of an hour for entries that arrive late.
 */
const WINDOW_MS = 75 * MINUTE;
/** Before the newest entry is known: all time zones, west and east of ours. */
const FIRST_WINDOW_MS = 26 * 60 * MINUTE;

/** Returns the minute from which the log is read, in the server's local time, which is only ever compared with itself. */
export function windowStart({ newest }: LogState, nowMs: number): string {
  return newest === '' ? minuteOf(nowMs - FIRST_WINDOW_MS) : minuteBefore(newest, WINDOW_MS);
}

function minuteBefore(minute: string, ms: number): string {
  return minuteOf(Date.parse(`${minute.replace(' ', 'T')}Z`) - ms);
}

function minuteOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * Reads the entries of a window. Every new entry that names a record makes it a candidate, whatever its text. An entry
 * is new if the last reading did not have it as often: times have no seconds, so that time alone cannot tell.
 *
 * @param key of the digests
 * @param idField the name of the record id field, for renames
 * @see docs/protocol/redcap.md 13.2 (client, doc)
 */
export async function readLog(
  entries: AsyncIterable<LogEntry>,
  before: LogState,
  { key, idField, nowMs }: { readonly key: string; readonly idField: string; readonly nowMs: number },
): Promise<LogReading> {
  const seen: Record<string, number> = {};
  const candidates = { ...before.candidates };
  const renames = new Map<string, string>();
  let [newest, traces, isRedesigned] = ['', 0, false];
  for await (const entry of entries) {
    const { at, user, action, actionText, details, record } = entry;
    if (at > newest) newest = at;
    // The first reading goes far back only to find out what time it is there: a sweep follows it.
    if (before.newest === '' && at < minuteBefore(newest, WINDOW_MS)) break;
    const hash = createHmac('sha256', key)
      .update(JSON.stringify([at, user, actionText, details, record]))
      .digest('base64url')
      .slice(0, 16);
    const digest = `${at} ${hash}`;
    const count = (seen[digest] ?? 0) + 1;
    seen[digest] = count;
    if (count <= (before.seen[digest] ?? 0)) continue;
    if (details.startsWith('Export Logging')) traces += 1;
    else if (
      action === 'user_changed' ||
      (action === 'design_or_management' && !details.startsWith('Export '))
    )
      isRedesigned = true;
    if (record === undefined) continue;
    candidates[record] = nowMs;
    const to = newNameIn(details, idField);
    if (to !== undefined && to !== record) renames.set(to, record);
  }
  const awaited = before.awaited.slice(traces);
  const leavesTrace = before.leavesTrace || traces > 0;
  const isOverdue = awaited.some((at) => nowMs - at >= OVERLAP_MS);
  // Entries that the last look had are gone: somebody purged the log, or `delete_logging` removed those of a record.
  const start = windowStart(before, nowMs);
  const isPurged =
    before.newest !== '' &&
    Object.keys(before.seen).some(
      (digest) => digest.slice(0, start.length) >= start && (seen[digest] ?? 0) < (before.seen[digest] ?? 0),
    );
  const hasGap = isPurged || (leavesTrace && isOverdue);
  return {
    state: {
      newest: hasGap ? '' : newest,
      seen,
      candidates,
      awaited: [...(hasGap ? [] : awaited), nowMs].slice(-MAX_AWAITED),
      leavesTrace,
    },
    renames,
    isRedesigned,
    hasGap,
  };
}

/** Many readings of a log that leaves no entries are not remembered one by one. */
const MAX_AWAITED = 1000;

/** Returns the new name in `record_id = 'new'`, which is how REDCap logs a rename. */
function newNameIn(details: string, idField: string): string | undefined {
  const opening = `${idField} = '`;
  const at = details.indexOf(opening);
  if (at === -1) return undefined;
  const rest = details.slice(at + opening.length);
  const end = rest.indexOf("'");
  return end === -1 ? undefined : rest.slice(0, end);
}
