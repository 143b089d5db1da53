import type { Writable } from 'node:stream';
import { loadCommandSettings } from '../../config/settings.js';
import { isDay } from '../../dictionary/days.js';
import { pseudonymKeysOf } from '../../server/derived-keys.js';
import { findRecord, type FoundCall, type RecordReport } from '../../services/audit/find-record.js';
import { recordPseudonym } from '../../services/audit/record-pseudonyms.js';
import { Pseudonyms } from '../../services/pseudonyms.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { counted } from '../printing/counted.js';
import { toTable, type Column } from '../printing/table.js';
import { linesOf, unreadable } from './audit-files.js';

export interface AuditFindOptions {
  /** The id of the record. */
  readonly record: string;
  /** A date, or date and time, in ISO 8601; UTC if it has no offset. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly json: boolean;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Prints the calls in an audit log that concern a record. */
export async function runAuditFind(files: readonly string[], options: AuditFindOptions): Promise<ExitCode> {
  const { record, json, stdout, stderr } = options;
  const [from, to] = [momentOf(options.from, 'T00:00:00.000Z'), momentOf(options.to, 'T23:59:59.999Z')];
  for (const [name, moment] of [
    ['--from', from],
    ['--to', to],
  ] as const) {
    if (moment !== undefined && Number.isNaN(moment.getTime())) {
      stderr.write(
        `${name} must be a date, as in 2026-11-23, or a date and time, as in 2026-11-23T08:00:00Z.\n`,
      );
      return EXIT_CODES.usage;
    }
  }
  const keys = pseudonymKeysOf(loadCommandSettings());
  if (keys.length === 0) {
    stderr.write(NO_KEY);
    return EXIT_CODES.usage;
  }
  const all = keys.map((key) => new Pseudonyms(key));
  const pseudonyms = new Set(all.map(({ of }) => recordPseudonym(record, of)));
  const keyMarks = new Set(all.map(({ keyMark }) => keyMark));
  let report: RecordReport;
  try {
    report = await findRecord(files.map(linesOf), { pseudonyms, keyMarks, from, to });
  } catch (error) {
    return unreadable(error, stderr);
  }
  if (json) stdout.write(`${JSON.stringify(report)}\n`);
  else printReport(report, stdout);
  if (report.unreadable > 0)
    stderr.write(
      `${counted(report.unreadable, 'line')} could not be read. Check the log with crf audit verify.\n`,
    );
  if (report.unrecognised === 0) return EXIT_CODES.ok;
  stderr.write(
    `${counted(report.unrecognised, 'call')} ${report.unrecognised === 1 ? 'names' : 'name'} records by pseudonyms of another key than the one that is set: whether they concern this record is unknown. Set the AUDIT_PSEUDONYM_KEY, or the token, that the service had then.\n`,
  );
  return EXIT_CODES.failed;
}

const NO_KEY =
  'The pseudonyms of the log need the key of the service: set AUDIT_PSEUDONYM_KEY, or the APPWRITE_* or CAPTURE_* variables that it has.\n';

function momentOf(text: string | undefined, timeOfDate: string): Date | undefined {
  if (text === undefined) return undefined;
  if (!isDay(text.slice(0, 10))) return new Date(Number.NaN);
  if (text.length === 10) return new Date(text + timeOfDate);
  return new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

const CONCERNS = {
  named: 'named',
  filter: 'may be in what was selected',
  project: 'may be in the whole project',
} as const;

const COLUMNS: readonly Column<FoundCall>[] = [
  { title: 'Time (UTC)', cell: ({ at }) => at },
  { title: 'Who', cell: ({ actor = 'unknown' }) => actor },
  { title: 'Network', cell: ({ network = 'unknown' }) => network },
  { title: 'Operation', cell: ({ operation = 'unknown' }) => operation },
  { title: 'The record', cell: ({ concern }) => CONCERNS[concern] },
  { title: 'Outcome', cell: ({ outcome = 'not ended' }) => outcome },
  { title: 'Request', cell: ({ requestId = '' }) => requestId },
];

function printReport({ calls }: RecordReport, stdout: Writable): void {
  if (calls.length > 0) stdout.write(toTable(calls, COLUMNS));
  const named = calls.filter(({ concern }) => concern === 'named').length;
  stdout.write(`${counted(named, 'call')} named it, ${calls.length - named} may have included it.\n`);
}
