import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { seal, unseal } from '../../domain/crypto/sealed-text.js';
import { refusal } from '../../domain/errors/refusal.js';
import type { CallOptions, CrfCalls } from '../../gateways/redcap/crf-client.js';
import type { LogAction, ParsedAction } from '../../gateways/redcap/contents/log-action.js';
import type { LogEntry, LogFilter } from '../../gateways/redcap/contents/log.js';
import type { LogType } from '../../gateways/redcap/contents/log-types.js';
import type { AuditedOptions } from '../../records/audit-notes.js';
import type { LimitQuery, PageQuery } from '../../records/export/page-query.js';
import { openRowBody } from '../../records/formats/row-body.js';
import type { OutputRow } from '../../records/formats/row-bytes.js';
import type { ReaderPaceOptions } from '../../records/streaming/reader-pace.js';
import type { MomentText, ServerTime } from '../../domain/dictionary/server-time.js';
import type { StreamedAnswer } from '../../records/streaming/streamed-answer.js';
import { readLogPage, type LogPlace } from './log-page.js';
import { streamLog } from './stream-log.js';

/**
 * Selects log entries. Without options the whole log is returned, which may take REDCap a long time: specify a range.
 */
export interface LogQuery extends LogFilter, LimitQuery {
  /** Only entries from this minute on. */
  readonly from?: MomentText;
  /** Only entries up to this minute, or day. */
  readonly until?: MomentText;
}

/** A query for the log or for one page of it. */
export interface LogPageQuery extends LogQuery, PageQuery {}

/** A query, and the format of its answer. */
export interface LogRequest extends OrUndefined<LogPageQuery> {
  readonly format: 'json' | 'ndjson';
}

/** The log, or one page of it. */
export interface LogAnswer extends StreamedAnswer {
  /** The start of the next page; absent on the last page. */
  readonly nextCursor?: string | undefined;
}

/** One log entry. It names the fields that were changed, but never contains their values. */
export interface ReadLogEntry {
  /**
   * The time, to the minute: with an offset if the time zone of REDCap's server is configured, otherwise in the
   * server's local time.
   * @example "2026-01-31T08:15:00+01:00"
   */
  readonly at: string;
  /** @example "ada" */
  readonly user: string;
  /**
   * The `type` that selects entries like this one; absent where that is not known: for files and randomizations, for example.
   * @example "record_edit"
   */
  readonly type?: LogType;
  /**
   * What was done, finer than the type.
   * @example "record_updated"
   */
  readonly action: LogAction;
  /** Whether the action came through the API, an import, or a form. */
  readonly origin: ParsedAction['origin'];
  /**
   * The record that the action applied to.
   * @example "COHORT-2026-PARTICIPANT-0001"
   */
  readonly record?: string;
  /** The unique event name. Longitudinal projects only, if the log has it. */
  readonly event?: string;
  /** @isInt */
  readonly instance?: number;
  /**
   * The instruments of the changed fields.
   * @example ["demographics"]
   */
  readonly instruments?: readonly string[];
  /**
   * The names of the changed fields.
   * @example ["age"]
   */
  readonly fields?: readonly string[];
}

/**
 * Reads the log of a project entry by entry, in constant memory. REDCap's descriptions are left out, because they
 * contain values of records. Of the texts that may be field names, only those in the data dictionary are returned.
 */
export class LogReader {
  readonly #key: Buffer;

  /**
   * @param pace minimum speed of a reader whose progress is known; none by default
   * @param key encrypts cursors. Every process that serves the same pages needs the same key; random by default.
   */
  constructor(
    private readonly client: CrfCalls,
    private readonly time: ServerTime,
    private readonly pace: ReaderPaceOptions = { minBytesPerSecond: 0 },
    key: Buffer = randomBytes(32),
  ) {
    this.#key = key;
  }

  /**
   * Yields the entries, newest first.
   *
   * @throws {InvalidRequestError} errors of `ServerTime.periodOf`
   * @throws {CrfError} errors of the client
   */
  async *read(
    query: OrUndefined<LogQuery>,
    call: CallOptions,
  ): AsyncGenerator<ReadLogEntry, void, undefined> {
    const { limit = Infinity, ...selection } = query;
    let left = limit;
    const period = this.time.periodOf(selection);
    const names = await this.#namesOf(call);
    for await (const entry of streamLog(this.client.log, { ...selection, ...period, ...call })) {
      yield this.#toEntry(entry, names);
      if (--left <= 0) return;
    }
  }

  /**
   * Opens the entries, or one page of them, as `{ "data": [ … ] }` or with one entry per line. Errors before the first
   * bytes are thrown.
   *
   * @throws {InvalidRequestError} as `read`; or the cursor does not belong to this query, or is given with `limit`
   */
  async open(
    { format, pageSize, cursor, ...query }: LogRequest,
    options: AuditedOptions,
  ): Promise<LogAnswer> {
    // With the time zone after the entries, readers can interpret the times; it is null if it is not known.
    const timeZone = this.time.zone ?? null;
    const form = { format, columns: [], trailer: () => ({ timeZone }), pace: this.pace };
    if (pageSize === undefined && cursor === undefined)
      // An interface type cannot be assigned to a row of any columns.
      return openRowBody((call) => this.read(query, call) as AsyncIterable<OutputRow>, form, options);
    const { limit, from, until, ...selection } = query;
    if (limit !== undefined) throw refusal('limit', 'cannot be given with pageSize or cursor');
    const { audit: _audit, ...call } = options;
    const { type, user, record, dag } = selection;
    const purpose = `log ${JSON.stringify([from, until, type, user, record, dag])}`;
    const after = cursor === undefined ? undefined : this.#placeIn(cursor, purpose);
    const period = this.time.periodOf(query);
    const names = await this.#namesOf(call);
    const upTo = { ...period, until: after?.minute ?? period.until };
    const log = streamLog(this.client.log, { ...selection, ...upTo, ...call });
    const { entries, end } = await readLogPage(log, pageSize ?? DEFAULT_PAGE_SIZE, after);
    const page = entries.map((entry) => this.#toEntry(entry, names));
    const nextCursor = end && seal(this.#key, purpose, JSON.stringify(end));
    const ends = {
      ...form,
      trailer: () => ({ timeZone, ...(nextCursor !== undefined && { next: nextCursor }) }),
    };
    return { ...(await openRowBody(() => Readable.from(page), ends, options)), nextCursor };
  }

  #placeIn(cursor: string, purpose: string): LogPlace {
    const text = unseal(this.#key, purpose, cursor);
    if (text === undefined)
      throw refusal(
        'cursor',
        'must be that of the page before, with the same query: begin with the first page',
      );
    return JSON.parse(text) as LogPlace; // encrypted by `open`
  }

  async #namesOf(call: CallOptions): Promise<Names> {
    const [fields, events] = await Promise.all([
      this.client.fields.list(call),
      this.client.events.list(call),
    ]);
    return {
      instruments: new Map([
        ...fields.map(({ name, instrument }) => [name, instrument] as const),
        ...fields.map(({ instrument }) => [`${instrument}_complete`, instrument] as const),
      ]),
      events: new Map(events.map(({ label, arm, uniqueName }) => [`${arm} ${label}`, uniqueName])),
    };
  }

  #toEntry(entry: LogEntry, { instruments, events }: Names): ReadLogEntry {
    const fields = entry.fields.filter((name) => instruments.has(name));
    const event = events.get(`${entry.arm} ${entry.eventLabel}`);
    const touched = [...new Set(fields.flatMap((name) => instruments.get(name) ?? []))];
    return {
      at: this.time.toText(entry.at),
      user: entry.user,
      ...(entry.type !== undefined && { type: entry.type }),
      action: entry.action,
      origin: entry.origin,
      ...(entry.record !== undefined && { record: entry.record }),
      ...(event !== undefined && { event }),
      ...(entry.instance !== undefined && { instance: entry.instance }),
      ...(touched.length > 0 && { instruments: touched, fields }),
    };
  }
}

const DEFAULT_PAGE_SIZE = 100;

interface Names {
  /** Instruments by field or form status. */
  readonly instruments: ReadonlyMap<string, string>;
  /** Unique event names by arm number and label. */
  readonly events: ReadonlyMap<string, string>;
}
