import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { isReversed } from '../../gateways/redcap/contents/argument-values.js';
import { LOG_TYPES } from '../../gateways/redcap/contents/log-types.js';
import { LogReader, type ReadLogEntry } from '../../services/logs/log-reader.js';
import { ServerTime } from '../../services/server-time.js';
import { defineCommand } from '../command.js';
import type { Io } from '../io.js';
import { choice, number, text } from '../options/option.js';
import { checkWholeNumbers, MAX_INTEGER, ROW_OPTIONS } from '../options/shared-options.js';
import { type Column, columnsOf, printRows, toCsv } from '../printing/table.js';

export const command = defineCommand({
  args: {
    since: text('From this moment on: a date, a date and time, or as long ago as 30m, 24h or 7d'),
    until: text('Up to this moment: a date, or a date and time'),
    type: choice('Only entries of this type', LOG_TYPES),
    user: text('Only what this user did'),
    record: text('Only what was done to this record'),
    dag: number('Only records of this data access group (number)'),
    limit: number('Only this many entries, the newest'),
    ...ROW_OPTIONS,
  },
  examples: {
    '$0 log --since 24h': 'The last day',
    '$0 log --since 2026-01-01 --type record --csv > changes.csv': 'Every change of a record',
  },
  epilogue:
    "Times are those of REDCap's server; with CAPTURE_TIME_ZONE they have an offset. Without --since, a large log may take REDCap too long.",
  check: (values) => checkWholeNumbers(values, { '--limit': MAX_INTEGER, '--dag': MAX_INTEGER }),
  reads: async ({ client, settings: { project } }, options, io) => {
    const { since, until, type, user, record, dag, limit } = options;
    const time = new ServerTime(project.timeZone);
    const query = { ...rangeOf(since, until, time), type, user, record: record && String(record), dag };
    const entries = new LogReader(client, time).read({ ...query, limit }, { signal: io.interrupt() });
    if (options.json) await printJson(entries, io);
    else if (options.csv) await printCsv(entries, io);
    else printRows(await collected(entries), ENTRIES, options, io);
  },
});

const ENTRIES: readonly Column<ReadLogEntry>[] = [
  ...columnsOf<ReadLogEntry>('at', 'user', 'kind', 'origin', 'record', 'event'),
  { title: 'instance', cell: ({ instance }) => String(instance ?? '') },
  { title: 'instruments', cell: ({ instruments = [] }) => instruments.join(' ') },
  { title: 'fields', cell: ({ fields = [] }) => fields.join(' ') },
];

/** Returns the range of the options, whose names its errors have. */
function rangeOf(since: string | undefined, until: string | undefined, time: ServerTime) {
  const from = since === undefined ? undefined : time.toMinute('--since', agoOf(since, time.zone) ?? since);
  const to = until === undefined ? undefined : time.toMinute('--until', until, 'end');
  if (isReversed(from, to)) {
    throw new InvalidRequestError([{ field: '--since', message: 'must not be later than --until' }]);
  }
  return { from, to };
}

async function collected(entries: AsyncIterable<ReadLogEntry>): Promise<ReadLogEntry[]> {
  const all: ReadLogEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

async function printJson(entries: AsyncIterable<ReadLogEntry>, io: Io): Promise<void> {
  let opening = '[\n';
  for await (const entry of entries) {
    await write(`${opening}${JSON.stringify(entry)}`, io);
    opening = ',\n';
  }
  await write(opening === '[\n' ? '[]\n' : '\n]\n', io);
}

async function printCsv(entries: AsyncIterable<ReadLogEntry>, io: Io): Promise<void> {
  await write(toCsv([], ENTRIES), io);
  for await (const entry of entries) await write(toCsv([entry], ENTRIES).split('\n').slice(1).join('\n'), io);
}

/** Waits for slow readers, since the log may be long. */
function write(text: string, io: Io): Promise<void> {
  return new Promise((resolve) => io.stdout.write(text, () => resolve()));
}

/**
 * Returns the time that a span such as `24h` ago means, for use as REDCap's server time. If the server's time zone is
 * unknown, this machine's is used.
 *
 * @returns undefined if the text is not a time span
 */
function agoOf(span: string, zone: string | undefined): string | undefined {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(span) ?? [];
  if (count === undefined || unit === undefined) return undefined;
  const minutes = Number(count) * (unit === 'm' ? 1 : unit === 'h' ? 60 : 24 * 60);
  const moment = new Date(Date.now() - minutes * 60_000);
  if (zone !== undefined) return moment.toISOString();
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
