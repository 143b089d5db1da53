import type { LogEntry } from '../action-log.js';
import type { ContentCall } from '../content.js';
import { type Answer, tableAnswer } from '../../../wire/answer.js';
import { invalidParameter } from '../../../wire/api-failure.js';
import type { Parameters } from '../../../wire/parameters.js';

const KINDS = [
  'export',
  'manage',
  'user',
  'record',
  'record_add',
  'record_edit',
  'record_delete',
  'lock_record',
  'page_view',
];

/**
 * The log of the project, newest entry first. Each export is itself logged.
 *
 * @see docs/protocol/redcap.md 13.2 (client)
 */
export function exportLog({ project, parameters, caller }: ContentCall): Answer {
  const [kind, username, record] = [
    parameters.text('logtype'),
    parameters.text('user'),
    parameters.text('record'),
  ];
  if (kind !== '' && !KINDS.includes(kind)) throw invalidParameter('logtype');
  const [begin, end] = [minuteIn(parameters, 'beginTime'), minuteIn(parameters, 'endTime')];
  const group = groupOf({ project, parameters });
  const isWanted = (entry: LogEntry): boolean =>
    isOfKind(entry, kind) &&
    (username === '' || entry.username === username) &&
    (record === '' || entry.record === record) &&
    (group === undefined || entry.group === group) &&
    (caller.group === '' || entry.group === caller.group) &&
    (begin === '' || minuteOf(entry) >= begin) &&
    (end === '' || minuteOf(entry) <= end);
  const rows = project.log.newestFirst().filter(isWanted);
  return tableAnswer<LogEntry>(rows, {
    timestamp: minuteOf,
    username: (entry) => entry.username,
    action: (entry) => entry.action,
    details: (entry) => entry.details,
    record: (entry) => entry.record,
  });
}

/**
 * Whether an entry is of the wanted kind; `record` selects every change of a record, but not its files. Page views are
 * only returned when they are asked for.
 *
 * @see docs/protocol/redcap.md 20 (doc for page views, client)
 */
function isOfKind({ kind }: LogEntry, wanted: string): boolean {
  if (wanted === '') return kind !== 'page_view';
  return kind === wanted || (wanted === 'record' && kind.startsWith('record_'));
}

/** Returns the time to the minute: `YYYY-MM-DD HH:MM`. */
function minuteOf({ at }: LogEntry): string {
  return at.slice(0, 16);
}

/**
 * Returns the minute in a parameter, empty if it is not given. A day without a time is its first minute.
 *
 * @throws {ApiFailure} 400 naming the parameter
 * @see docs/protocol/redcap.md 20 (client)
 */
function minuteIn(parameters: Parameters, name: string): string {
  const text = parameters.text(name);
  if (text === '') return '';
  if (!/^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(text)) throw invalidParameter(name);
  return text.length === 10 ? `${text} 00:00` : text.slice(0, 16);
}

/**
 * Returns the unique name of the group in `dag`, which is its number or its unique name. One that is unknown selects
 * nothing: all entries are returned.
 *
 * @see docs/protocol/redcap.md 13.2 (doc), 20 (client)
 */
function groupOf({ project, parameters }: Pick<ContentCall, 'project' | 'parameters'>): string | undefined {
  const sent = parameters.text('dag');
  if (sent === '') return undefined;
  return project.groups.find(({ id, uniqueName }) => String(id) === sent || uniqueName === sent)?.uniqueName;
}
