import { InvalidRequestError } from '../../domain/errors/caller-errors.js';
import { isReversed } from '../../gateways/redcap/contents/argument-values.js';
import { LogReader, type ReadLogEntry } from '../../services/logs/log-reader.js';
import { ServerTime } from '../../services/server-time.js';
import { interruptSignal } from '../interrupt.js';
import type { LogArguments } from './log.js';
import { withClient } from '../open-client.js';
import { printRows } from '../printing/print-rows.js';
import { toCsv, type Column } from '../printing/table.js';

const ENTRIES: readonly Column<ReadLogEntry>[] = [
  { title: 'at', cell: ({ at }) => at },
  { title: 'user', cell: ({ user }) => user },
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'origin', cell: ({ origin }) => origin },
  { title: 'record', cell: ({ record = '' }) => record },
  { title: 'event', cell: ({ event = '' }) => event },
  { title: 'instance', cell: ({ repeatInstance }) => String(repeatInstance ?? '') },
  { title: 'instruments', cell: ({ instruments = [] }) => instruments.join(' ') },
  { title: 'fields', cell: ({ fields = [] }) => fields.join(' ') },
];

/** `crf log`: streams JSON and CSV, but collects all entries for a table. */
export async function printLog(options: LogArguments): Promise<void> {
  const signal = interruptSignal();
  const { since, until, type, user, record, dag, limit } = options;
  await withClient(options, async ({ client, settings: { project } }) => {
    const time = new ServerTime(project.timeZone);
    const query = { ...rangeOf(since, until, time), type, user, record: record && String(record), dag };
    const entries = new LogReader(client, time).read({ ...query, limit }, { signal });
    if (options.json) await printJson(entries);
    else if (options.csv) await printCsv(entries);
    else printRows(await collected(entries), { table: ENTRIES }, options);
  });
}

/** Returns the range of the options, whose names its errors have. */
function rangeOf(since: string | undefined, until: string | undefined, time: ServerTime) {
  const from = since === undefined ? undefined : time.toMinute('--since', agoOf(since, time.zone) ?? since);
  const to = until === undefined ? undefined : time.toMinute('--until', until, 'end');
  if (isReversed(from, to)) {
    throw new InvalidRequestError([{ field: '--since', message: 'must not be later than --until' }]);
  }
  return { from, to };
}

async function collected(chunks: AsyncIterable<ReadLogEntry[]>): Promise<ReadLogEntry[]> {
  const all: ReadLogEntry[] = [];
  for await (const entries of chunks) for (const entry of entries) all.push(entry);
  return all;
}

async function printJson(chunks: AsyncIterable<ReadLogEntry[]>): Promise<void> {
  let opening = '[\n';
  for await (const entries of chunks) {
    for (const entry of entries) {
      await write(`${opening}${JSON.stringify(entry)}`);
      opening = ',\n';
    }
  }
  await write(opening === '[\n' ? '[]\n' : '\n]\n');
}

async function printCsv(chunks: AsyncIterable<ReadLogEntry[]>): Promise<void> {
  await write(toCsv([], ENTRIES));
  for await (const entries of chunks) {
    await write(toCsv(entries, ENTRIES).split('\n').slice(1).join('\n'));
  }
}

/** Waits for slow readers, since the log may be long. */
function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
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
