import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Period } from '../../../domain/dictionary/server-time.js';
import type { RecordIdText } from '../../../domain/identifiers/record-id.js';
import { InvalidRequestError } from '../../../domain/errors/caller-errors.js';
import {
  argument,
  strictObject,
  type Shape,
  type OrUndefined,
} from '../../../domain/identifiers/check-options.js';
import { inPeriod, moment, narrowingText, oneOf, positiveInteger, recordId } from './argument-values.js';
import { CALL, type CallOptions } from '../call-options.js';
import { JSON_FORM } from '../export-form.js';
import { notAsAsked } from '../classify-answer.js';
import type { WireParameters } from '../wire-parameters.js';
import { requiredText, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';
import { Dags } from './dags.js';
import { parseLogAction, type LogAction } from './log-action.js';
import { LOG_TYPES, type LogType } from './log-types.js';

/** Selects log entries by what they are about. */
export interface LogFilter {
  /** Only entries of this type. `record` includes every change to a record. */
  readonly type?: LogType;
  /**
   * Only actions of this user.
   * @minLength 1
   * @maxLength 255
   */
  readonly user?: string;
  /** Only actions on this record. */
  readonly record?: RecordIdText;
  /**
   * Only actions on records of the data access group with this number.
   * @isInt
   * @minimum 1
   * @maximum 2147483647
   */
  readonly dag?: number;
}

/** Selects which log entries to return. Without a time range, a large log can exceed REDCap's execution time. */
export interface LogSelection extends OrUndefined<LogFilter>, Period, CallOptions {}

/** One entry of the log: REDCap's text, and what could be parsed from it. */
export interface LogEntry extends LogAction {
  /** `YYYY-MM-DD HH:MM` in the server's time zone, which REDCap does not state. */
  readonly timestamp: string;
  readonly username: string;
  /** REDCap's own text: `Update record (API) 5`. */
  readonly action: string;
  /** REDCap's own text. It contains values of records. */
  readonly details: string;
}

const LogRow: z.ZodType<LogEntry> = z
  .object({ timestamp: requiredText, username: text, action: requiredText, details: text, record: text })
  .transform((row) => ({
    timestamp: row.timestamp,
    username: row.username,
    action: row.action,
    details: row.details,
    ...parseLogAction(row),
  }));

const LogRows: z.ZodType<LogEntry[]> = z.array(LogRow);

/** Converts one row of the log to an entry. @throws {UpstreamInvalidError} the row is not a log entry */
export function toLogEntry(row: unknown): LogEntry {
  const { success, data } = LogRow.safeParse(row);
  if (!success) throw notAsAsked('an entry of the log');
  return data;
}

/** `content=log`: everything that was done in the project, newest first. @see docs/protocol/redcap.md 13.2 (client) */
export class Log {
  constructor(private readonly calls: ContentCalls) {}

  /**
   * Returns all entries in one list. Reading the log adds an entry to it.
   *
   * @throws {InvalidRequestError} the type, the group or the period is not valid, or the user is blank
   */
  async list(selection: LogSelection = {}): Promise<LogEntry[]> {
    await this.#refuseUnknownGroup(selection);
    return this.calls.ask(toParameters(selection), LogRows, selection);
  }

  /** Opens the same entries as REDCap's own bytes, a JSON array, for logs of any length. */
  async open(selection: LogSelection = {}): Promise<Readable> {
    await this.#refuseUnknownGroup(selection);
    return this.calls.stream({ ...toParameters(selection), format: 'json' }, JSON_FORM, selection);
  }

  /** REDCap would answer with the entries of all groups. @see docs/protocol/redcap.md 20 (client) */
  async #refuseUnknownGroup({ dag, signal, caller, traceparent }: LogSelection): Promise<void> {
    if (dag === undefined) return;
    const groups = await new Dags(this.calls).list({ signal, caller, traceparent });
    if (groups.some(({ id }) => id === dag)) return;
    const message = 'is not the number of a data access group of this project';
    throw new InvalidRequestError([{ field: 'dag', message }]);
  }
}

/** REDCap's times of the log have no seconds. @see docs/protocol/redcap.md 13.2 (client) */
function toParameters({ type, user, record, dag, from, until }: LogSelection): WireParameters {
  const [beginTime, endTime] = [from?.slice(0, MINUTE), until?.slice(0, MINUTE)];
  return { content: 'log', logtype: type, user, record, dag, beginTime, endTime };
}

const MINUTE = '2026-01-31 08:15'.length;

const SELECTION = {
  ...CALL,
  type: oneOf(...LOG_TYPES).optional(),
  user: narrowingText.optional(),
  record: recordId.optional(),
  dag: positiveInteger.optional(),
  from: moment.optional(),
  until: moment.optional(),
} satisfies Shape<LogSelection>;

/** The argument of every method of the log. */
export const logSelection = argument(
  'options',
  strictObject(SELECTION, 'an option').transform(inPeriod).optional(),
);

export const LOG = content(Log, { list: [logSelection], open: [logSelection] });
