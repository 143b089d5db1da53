import { createHash, randomBytes } from 'node:crypto';
import type { OrUndefined } from '../../domain/identifiers/check-options.js';
import { setImmediate } from 'node:timers/promises';
import { refusal } from '../../domain/errors/refusal.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import type { AuditedOptions } from '../audit-notes.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import { checkedFilter } from '../filter/checked-filter.js';
import { planBatches, wholeNumber } from './batch-plan.js';
import { listRecordIds } from './list-record-ids.js';
import { ServerTime } from '../../domain/dictionary/server-time.js';
import { seal, unseal } from '../../domain/crypto/sealed-text.js';
import type { PageQuery } from './page-query.js';
import type { RecordsBody } from '../formats/rows-answer.js';
import type { ExportClient, ExportRequest } from './record-exporter.js';
import { upstreamFormat } from '../formats/rows-answer.js';

/** A request for an export or for one page of it. */
export interface PageRequest extends ExportRequest, OrUndefined<PageQuery> {
  /** Only the rows of this instrument, as a table of its own. */
  readonly instrument?: string | undefined;
}

/** Opens exports in some form. */
export interface ExportOpener {
  open(request: ExportRequest, call?: CallOptions): Promise<RecordsBody>;
  /** Opens an export without records. Does not call REDCap. */
  openEmpty(request: ExportRequest): Promise<RecordsBody>;
}

/** An export or one page of it. */
export interface RecordsPage extends RecordsBody {
  /** The start of the next page; absent on the last page. */
  readonly nextCursor?: string | undefined;
  /** Whether records have been added or deleted among those of earlier pages. */
  readonly isChanged?: boolean | undefined;
}

/** Records per page. */
export const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 100;

/**
 * Splits an export into pages of whole records in REDCap's order. Cursors keep their place when records are added or
 * deleted: a record that remains is never repeated and never omitted (STR-06). No state is kept between pages.
 */
export class RecordPager {
  readonly #key: Buffer;

  /** @param key encrypts cursors. Every process that serves the same pages needs the same key; random by default. */
  constructor(
    private readonly client: ExportClient,
    private readonly exporter: ExportOpener,
    key: Buffer = randomBytes(32),
    private readonly time = new ServerTime(),
  ) {
    this.#key = key;
  }

  /**
   * Opens an export, or one page of it if a page size or a cursor is given.
   *
   * @throws {InvalidRequestError} the page size is out of range, the cursor does not belong to this selection, the
   *   records around its place have been deleted, `limit` or `batchSize` is given with a page, or the selection lacks
   *   the record id
   * @throws {CrfError} errors of `RecordExporter.open`
   */
  async open({ pageSize, cursor, ...asked }: PageRequest, call: AuditedOptions = {}): Promise<RecordsPage> {
    const request = { ...asked, ...this.time.periodOf(asked) };
    if (pageSize === undefined && cursor === undefined) return this.exporter.open(request, call);
    const size = wholeNumber('pageSize', pageSize ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
    if (request.limit !== undefined) throw refusal('limit', 'cannot be given with pageSize or cursor');
    if (request.batchSize !== undefined)
      throw refusal('batchSize', 'cannot be given with pageSize or cursor');

    const { ids, filterLogic } = await this.#listIds(request, call);
    const before = cursor === undefined ? undefined : this.#read(cursor, asked);
    const place = before === undefined ? 0 : placeAfter(before, ids);
    const digest = await digestOf(ids, place);
    const end = Math.min(place + size, ids.length);
    const nextCursor = end < ids.length ? await this.#cursorAt(end, ids, asked) : undefined;
    // REDCap treats an empty list of records as all records, so an empty page is not requested.
    const page =
      place === end
        ? await this.exporter.openEmpty(request)
        : await this.#openPage(
            { ...request, filterLogic, next: nextCursor, records: ids.slice(place, end) },
            call,
          );
    return { ...page, nextCursor, isChanged: before !== undefined && before.digest !== digest };
  }

  async #openPage(
    request: ExportRequest & { readonly records: readonly string[] },
    call: AuditedOptions,
  ): Promise<RecordsBody> {
    await call.audit?.records(request.records);
    return this.exporter.open(request, call);
  }

  /** Lists the records of the selection, with its filter, which is checked here for all calls of the page. */
  async #listIds(
    request: ExportRequest,
    call: CallOptions,
  ): Promise<{ readonly ids: readonly string[]; readonly filterLogic: ExportRequest['filterLogic'] }> {
    const { signal = new AbortController().signal, caller, traceparent } = call;
    const { records, fields, forms, events, from, until } = request;
    const selection = { records, fields, forms, events, from, until };
    const plan = await planBatches(this.client, {
      ...selection,
      filterLogic: request.filterLogic,
      ...{ signal, caller, traceparent, format: upstreamFormat(request) },
    });
    if (signal.aborted) throw abortionOf(signal);
    const filterLogic = await checkedFilter(this.client, request.filterLogic, call);
    const ids = await listRecordIds({ ...plan, selection: { ...plan.selection, filterLogic } }, signal);
    return { ids, filterLogic };
  }

  async #cursorAt(end: number, ids: readonly string[], request: ExportRequest): Promise<string> {
    const place: Place = {
      anchors: ids.slice(Math.max(0, end - ANCHORS), end),
      digest: await digestOf(ids, end),
    };
    // Encrypted, because record ids must not appear in a URL (LOG-01).
    return seal(this.#key, purposeOf(request), JSON.stringify(place));
  }

  #read(cursor: string, request: ExportRequest): Place {
    const text = unseal(this.#key, purposeOf(request), cursor);
    if (text === undefined) {
      throw refusal(
        'cursor',
        'must be that of the page before, with the same selection: begin with the first page',
      );
    }
    return JSON.parse(text) as Place; // encrypted by `#cursorAt`
  }
}

/** The end of a page. */
interface Place {
  /** Its last records. The place can be found as long as one of them exists. */
  readonly anchors: readonly string[];
  /** A hash of all records up to this place. */
  readonly digest: string;
}

const ANCHORS = 8;
const IDS_AT_ONCE = 1000;

function placeAfter({ anchors }: Place, ids: readonly string[]): number {
  const last = Math.max(...anchors.map((id) => ids.indexOf(id)));
  if (last === -1)
    throw refusal('cursor', 'has no place any more, for its records were deleted: begin with the first page');
  return last + 1;
}

/** Hashes the first ids in parts, so that the event loop is not blocked. */
async function digestOf(ids: readonly string[], count: number): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < count; at += IDS_AT_ONCE) {
    hash.update(JSON.stringify(ids.slice(at, Math.min(at + IDS_AT_ONCE, count))));
    await setImmediate();
  }
  return hash.digest('base64url');
}

/** Binds a cursor to the options that select records. Output options may differ between pages. */
function purposeOf({ records, events, filterLogic, from, until }: ExportRequest): string {
  return JSON.stringify(['records cursor', records, events, filterLogic, from, until]);
}
