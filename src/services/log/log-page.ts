import { createHash } from 'node:crypto';
import type { LogEntry } from '../../gateways/redcap/contents/log.js';

/** The end of a page of the log. REDCap's times have no seconds, so a minute may have entries on both sides of it. */
export interface LogPlace {
  /** The minute of the last entry, in the server's time. */
  readonly minute: string;
  /** The entries of that minute up to and including the last one. */
  readonly count: number;
  /** A hash of the last entry. */
  readonly last: string;
}

/** One page of the log, newest entry first. */
export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Where the next page begins; undefined on the last page. */
  readonly end: LogPlace | undefined;
}

/**
 * Reads one page from a log that begins with the minute of its place, and leaves the rest unread.
 *
 * The log may have grown since the page before: reading it adds an entry to it. New entries come first, so the last
 * entry of the page before is never further up than it was, and is looked for from there on. If it is gone, the page
 * begins after as many entries as before. So an entry may be repeated, but none is left out. Among entries that are equal
 * in every respect the first counts, so a page should be longer than what is written between two pages.
 */
export async function readLogPage(
  log: AsyncIterable<LogEntry>,
  size: number,
  after: LogPlace | undefined,
): Promise<LogPage> {
  let kept: LogEntry[] = [];
  let passed = 0; // entries of the place's minute before the page
  let seen = 0;
  let isSearching = after !== undefined;
  for await (const entry of log) {
    if (after !== undefined && isSearching) {
      isSearching = entry.at === after.minute;
      seen += 1;
      if (isSearching && seen >= after.count && hashOf(entry) === after.last) {
        isSearching = false;
        passed = seen;
        kept = [];
        continue;
      }
      if (isSearching && seen <= after.count) {
        passed = seen;
        continue;
      }
    }
    // While it searches, it goes on to the end of the minute, but keeps no more than it needs.
    if (kept.length <= size) kept.push(entry);
    if (kept.length > size && !isSearching) break;
  }
  const entries = kept.slice(0, size);
  return { entries, end: kept.length > size ? placeAfter(entries, after, passed) : undefined };
}

function placeAfter(
  entries: readonly LogEntry[],
  before: LogPlace | undefined,
  passed: number,
): LogPlace | undefined {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  const { at: minute } = last;
  const count = entries.filter(({ at }) => at === minute).length;
  return { minute, count: count + (before?.minute === minute ? passed : 0), last: hashOf(last) };
}

function hashOf(entry: LogEntry): string {
  const { at, user, actionText, details } = entry;
  return createHash('sha256')
    .update(JSON.stringify([at, user, actionText, details]))
    .digest('base64url')
    .slice(0, 16);
}
