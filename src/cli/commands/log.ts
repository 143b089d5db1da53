import { ServerTime } from '../../domain/dictionary/server-time.js';
import { LOG_TYPES } from '../../gateways/redcap/contents/log-types.js';
import { LogReader, type ReadLogEntry } from '../../services/log/log-reader.js';
import { defineCommand } from '../command.js';
import type { Io } from '../io.js';
import { choice, number, text } from '../options/option.js';
import {
  checkWholeNumbers,
  MAX_INTEGER,
  periodOf,
  periodOptions,
  ROW_OPTIONS,
} from '../options/shared-options.js';
import { type Column, columnsOf, printRows, toCsv } from '../printing/table.js';

export const command = defineCommand({
  args: {
    ...periodOptions('Only entries'),
    type: choice('Only entries of this type', LOG_TYPES),
    user: text('Only what this user did'),
    record: text('Only what was done to this record'),
    dag: text('Only records of this data access group, by its unique name'),
    limit: number('Only this many entries, the newest'),
    ...ROW_OPTIONS,
  },
  examples: {
    '$0 log --from 24h': 'The last day',
    '$0 log --from 2026-01-01 --type record --csv > changes.csv': 'Every change of a record',
  },
  epilogue:
    "Times are those of REDCap's server; with CAPTURE_TIME_ZONE they have an offset. Without --from, a large log may take REDCap too long.",
  check: (values) => {
    checkWholeNumbers(values, { '--limit': MAX_INTEGER });
    periodOf(values);
  },
  reads: async ({ client, settings: { project } }, options, io) => {
    const { type, user, record, dag, limit } = options;
    const time = new ServerTime(project.timeZone);
    const query = {
      ...periodOf(options, project.timeZone),
      type,
      user,
      record: record && String(record),
      dag,
    };
    const entries = new LogReader(client, time).read({ ...query, limit }, { signal: io.interrupt() });
    if (options.json) await printJson(entries, io);
    else if (options.csv) await printCsv(entries, io);
    else printRows(await collected(entries), ENTRIES, options, io);
  },
});

const ENTRIES: readonly Column<ReadLogEntry>[] = [
  ...columnsOf<ReadLogEntry>('at', 'user', 'type', 'action', 'origin', 'record', 'event'),
  { title: 'instance', cell: ({ instance }) => String(instance ?? '') },
  { title: 'instruments', cell: ({ instruments = [] }) => instruments.join(' ') },
  { title: 'fields', cell: ({ fields = [] }) => fields.join(' ') },
];

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
