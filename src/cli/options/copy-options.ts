import type { CopyTarget } from '../../sync/open-copy.js';
import { flag, number } from './option.js';
import { asOptions } from './shared-options.js';

/** Options of every command that brings a copy up to date. */
export const copyArgs = {
  sweep: flag('Read every record, whatever the log says'),
  'allow-mass-delete': flag('Go on if more than a fifth of the records have vanished'),
  ...asOptions,
  budget: number("How many entries a day the looks may leave in REDCap's log; each leaves two"),
} as const;

/** @throws {Error} the text does not name a copy */
export function copyTarget(text: string): CopyTarget {
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', place: text };
  const [, kind, place] = /^(sqlite|csv|parquet):(.+)$/s.exec(text) ?? [];
  if (kind === undefined || place === undefined)
    throw new Error('The copy must be named as sqlite:FILE, csv:FOLDER, parquet:FOLDER or postgres://…');
  return { kind: kind as CopyTarget['kind'], place };
}

/** How long to wait between two looks, in milliseconds: the least after a change, and the most when nothing changes. */
export interface Interval {
  readonly leastMs: number;
  readonly mostMs: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The log is read, and the list of records. @see docs/protocol/redcap.md 13.2 (client) */
const ENTRIES_A_LOOK = 2;

/**
 * Returns the pauses of `30s`, `15m`, `2h` or `auto`.
 *
 * @param budget how many entries a day the looks may leave in REDCap's log
 * @throws {Error} one of the two is not understood
 */
export function intervalOf(text: string, budget: number | undefined): Interval {
  if (budget !== undefined && !(Number.isInteger(budget) && budget >= ENTRIES_A_LOOK))
    throw new Error(`--budget must be a whole number from ${ENTRIES_A_LOOK}`);
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  if (count === '' && text !== 'auto')
    throw new Error('--every must be auto, or a number of seconds, minutes or hours: 30s, 15m or 2h');
  const fixed = Number(count) * { s: 1000, m: MINUTE, h: 60 * MINUTE }[unit as 's' | 'm' | 'h'];
  const [least, most] = text === 'auto' ? [MINUTE, 15 * MINUTE] : [fixed, fixed];
  const floor = budget === undefined ? 0 : (DAY * ENTRIES_A_LOOK) / budget;
  return { leastMs: Math.max(least, floor), mostMs: Math.max(most, floor) };
}

/** Returns the pause after a look: the least after a change, and twice the last one as long as nothing changes. */
export function nextPause({ leastMs, mostMs }: Interval, lastMs: number, isIdle: boolean): number {
  return isIdle ? Math.min(Math.max(2 * lastMs, leastMs), mostMs) : leastMs;
}
