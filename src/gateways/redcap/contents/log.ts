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
import { anyText, inPeriod, narrowingText, oneOf, recordId } from './argument-values.js';
import { CALL, type CallOptions } from '../call-options.js';
import { JSON_FORM } from '../export-form.js';
import { notAsAsked } from '../classify-answer.js';
import type { WireParameters } from '../wire-parameters.js';
import { requiredText, text } from './answer-values.js';
import { content, type ContentCalls } from './content-calls.js';
import { Dags, type DagNameText, type DataAccessGroup } from './dags.js';
import { unknownName } from '../../../domain/identifiers/nearest-name.js';
import { parseLogAction, type ParsedAction } from './log-action.js';
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
  /** Only actions on records of this data access group. */
  readonly dag?: DagNameText;
}

/** Selects which log entries to return. Without a time range, a large log can exceed REDCap's execution time. */
export interface LogSelection extends OrUndefined<LogFilter>, Period, CallOptions {}

/** One entry of the log: REDCap's text, and what could be parsed from it. */
export interface LogEntry extends ParsedAction {
  /** `YYYY-MM-DD HH:MM` in the server's time zone, which REDCap does not state. */
  readonly at: string;
  readonly user: string;
  /** REDCap's own text: `Update record (API) 5`. */
  readonly actionText: string;
  /** REDCap's own text. It contains values of records. */
  readonly details: string;
}

const LogRow: z.ZodType<LogEntry> = z
  .object({ timestamp: requiredText, username: text, action: requiredText, details: text, record: text })
  .transform((row) => ({
    at: row.timestamp,
    user: row.username,
    actionText: row.action,
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
    const dag = await this.#numberOf(selection);
    return this.calls.ask(toParameters({ ...selection, dag }), LogRows, selection);
  }

  /** Opens the same entries as REDCap's own bytes, a JSON array, for logs of any length. */
  async open(selection: LogSelection = {}): Promise<Readable> {
    const dag = await this.#numberOf(selection);
    return this.calls.stream(
      { ...toParameters({ ...selection, dag }), format: 'json' },
      JSON_FORM,
      selection,
    );
  }

  /** @see docs/protocol/redcap.md 20 (client): for a group that is not there, REDCap answers with the entries of all */
  async #numberOf({ dag, signal, caller, traceparent }: LogSelection): Promise<number | undefined> {
    if (dag === undefined) return undefined;
    return groupNamed(await new Dags(this.calls).list({ signal, caller, traceparent }), dag).id;
  }
}

/** @throws {InvalidRequestError} no group has the name */
export function groupNamed(groups: readonly DataAccessGroup[], dag: string): DataAccessGroup {
  const group = groups.find(({ uniqueName }) => uniqueName === dag);
  if (group === undefined) throw new InvalidRequestError([unknownName('dag', 'dag', dag)]);
  return group;
}

/** REDCap's times of the log have no seconds. @see docs/protocol/redcap.md 13.2 (client) */
function toParameters(
  selection: Omit<LogSelection, 'dag'> & { readonly dag: number | undefined },
): WireParameters {
  const { type, user, record, dag, from, until } = selection;
  const [beginTime, endTime] = [from?.slice(0, MINUTE), until?.slice(0, MINUTE)];
  return { content: 'log', logtype: type, user, record, dag, beginTime, endTime };
}

const MINUTE = '2026-01-31 08:15'.length;

const SELECTION = {
  ...CALL,
  type: oneOf(...LOG_TYPES).optional(),
  user: narrowingText.optional(),
  record: recordId.optional(),
  dag: narrowingText.optional(),
  from: anyText.optional(),
  until: anyText.optional(),
} satisfies Shape<LogSelection>;

/** The argument of every method of the log. */
export const logSelection = argument(
  'options',
  strictObject(SELECTION, 'an option').transform(inPeriod).optional(),
);

export const LOG = content(Log, { list: [logSelection], open: [logSelection] });
