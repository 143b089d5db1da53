import type { CopyTarget } from '../../changes/open-copy.js';

/** Options of every command that brings a copy up to date. */
export const copyArgs = {
  sweep: { type: 'boolean', default: false, describe: 'Read every record, whatever the log says' },
  'allow-mass-delete': {
    type: 'boolean',
    default: false,
    describe: 'Go on if more than a fifth of the records have vanished',
  },
} as const;

/** @throws {Error} the text does not name a copy */
export function copyTarget(text: string): CopyTarget {
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', place: text };
  const [, kind, place] = /^(sqlite|csv|parquet):(.+)$/s.exec(text) ?? [];
  if (kind === undefined || place === undefined)
    throw new Error('The copy must be named as sqlite:FILE, csv:FOLDER, parquet:FOLDER or postgres://…');
  return { kind: kind as CopyTarget['kind'], place };
}

/** Returns the milliseconds in `30s`, `15m` or `2h`. @throws {Error} it is none of these */
export function intervalMs(text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smh])$/.exec(text) ?? [];
  if (count === '') throw new Error('--every must be a number of seconds, minutes or hours: 30s, 15m or 2h');
  return Number(count) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
}
