import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { InvalidRequestError } from '../../errors/caller-errors.js';
import { abortionOf } from '../../gateways/redcap/cancellation.js';
import type { AuditedOptions } from '../audit/audit-entry.js';
import type { CallOptions } from '../../gateways/redcap/crf-client.js';
import { planBatches, wholeNumber, type BatchClient } from './batch-plan.js';
import type { IdList } from './id-list.js';
import { listRecordIds } from './list-record-ids.js';
import { seal, unseal } from '../../crypto/sealed-text.js';
import type { ExportRequest, RecordsBody } from './record-exporter.js';

/** What is exported, whole or a page of it. */
export interface PageRequest extends ExportRequest {
  /** Records of a page, 1 to 1000; 100 by default where there is a cursor. */
  readonly pageSize?: number | undefined;
  /** Where the page before ended, as `nextCursor` gave it. */
  readonly cursor?: string | undefined;
}

/** Opens exports, in one form or another. */
export interface ExportOpener {
  open(request: ExportRequest, call?: CallOptions): Promise<RecordsBody>;
  /** An export of no records, of which REDCap is not asked. */
  openEmpty(request: ExportRequest): RecordsBody | Promise<RecordsBody>;
}

/** An export, or a page of one. */
export interface RecordsPage extends RecordsBody {
  /** Where the next page begins; absent on the last one. */
  readonly nextCursor?: string | undefined;
  /** Whether records were added or deleted among those of earlier pages. */
  readonly isChanged?: boolean | undefined;
}

export const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 100;

/**
 * Pages of an export: whole records, in REDCap's own order, by a cursor that keeps its place when records are added or
 * deleted. Of records that stay, none is given twice and none is left out (STR-06). Nothing is kept between two pages.
 */
export class RecordPager {
  readonly #client: BatchClient;
  readonly #exporter: ExportOpener;
  readonly #key: Buffer;

  /** @param key seals cursors; the same in every process that serves the same pages, and random by default */
  constructor(client: BatchClient, exporter: ExportOpener, key: Buffer = randomBytes(32)) {
    this.#client = client;
    this.#exporter = exporter;
    this.#key = key;
  }

  /**
   * Opens an export, or a page of it where a page size or a cursor is given.
   *
   * @throws {InvalidRequestError} the page size is out of range, the cursor is none of this selection, or the records
   *   around its place are gone; `limit` or `batchSize` beside a page; the selection lacks the record id
   * @throws {CrfError} what `RecordExporter.open` throws
   */
  async open({ pageSize, cursor, ...request }: PageRequest, call: AuditedOptions = {}): Promise<RecordsPage> {
    if (pageSize === undefined && cursor === undefined) return this.#exporter.open(request, call);
    const size = wholeNumber('pageSize', pageSize ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
    if (request.limit !== undefined) throw refused('limit', 'cannot be given with pageSize or cursor');
    if (request.batchSize !== undefined)
      throw refused('batchSize', 'cannot be given with pageSize or cursor');

    const ids = await this.#listIds(request, call);
    try {
      const before = cursor === undefined ? undefined : this.#read(cursor, request);
      const place = before === undefined ? 0 : placeAfter(before, ids);
      const digest = await digestOf(ids, place);
      const end = Math.min(place + size, ids.length);
      // To REDCap no names are all of them: a page without records is not asked for.
      const page =
        place === end
          ? await this.#exporter.openEmpty(request)
          : await this.#exporter.open({ ...request, records: ids.slice(place, end) }, call);
      return {
        ...page,
        nextCursor: end < ids.length ? await this.#cursorAt(end, ids, request) : undefined,
        isChanged: before !== undefined && before.digest !== digest,
      };
    } finally {
      ids.release();
    }
  }

  async #listIds(request: ExportRequest, call: CallOptions): Promise<IdList> {
    const {
      format,
      trailer: _trailer,
      spreadsheetSafe: _safe,
      hasEnvelope: _envelope,
      ...selection
    } = request;
    const { signal = new AbortController().signal } = call;
    const options = {
      ...selection,
      ...call,
      format: format === 'csv' ? ('csv' as const) : ('json' as const),
    };
    const plan = await planBatches(this.#client, options);
    if (signal.aborted) throw abortionOf(signal);
    return listRecordIds(plan, signal);
  }

  async #cursorAt(end: number, ids: IdList, request: ExportRequest): Promise<string> {
    const place: Place = {
      anchors: ids.slice(Math.max(0, end - ANCHORS), end),
      digest: await digestOf(ids, end),
    };
    // Sealed, for the ids of records have no place in a URL (LOG-01).
    return seal(this.#key, purposeOf(request), JSON.stringify(place));
  }

  #read(cursor: string, request: ExportRequest): Place {
    const text = unseal(this.#key, purposeOf(request), cursor);
    if (text === undefined) {
      throw refused(
        'cursor',
        'must be that of the page before, with the same selection: begin with the first page',
      );
    }
    return JSON.parse(text) as Place; // sealed by `#cursorAt`
  }
}

/** Where a page ended. */
interface Place {
  /** The last records of it: while one of them is there, the place is known. */
  readonly anchors: readonly string[];
  /** A hash of all records up to there. */
  readonly digest: string;
}

const ANCHORS = 8;
const IDS_AT_ONCE = 1000;

function placeAfter({ anchors }: Place, ids: IdList): number {
  const last = Math.max(...anchors.map((id) => ids.positionOf(id)));
  if (last === -1)
    throw refused('cursor', 'has no place any more, for its records were deleted: begin with the first page');
  return last + 1;
}

/** A hash of the first ids, in parts: nobody waits for it. */
async function digestOf(ids: IdList, count: number): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < count; at += IDS_AT_ONCE) {
    hash.update(JSON.stringify(ids.slice(at, Math.min(at + IDS_AT_ONCE, count))));
    await setImmediate();
  }
  return hash.digest('base64url');
}

/** A cursor belongs to what selects records: how they are written may differ from page to page. */
function purposeOf({ records, events, filterLogic, dateRangeBegin, dateRangeEnd }: ExportRequest): string {
  return JSON.stringify(['records cursor', records, events, filterLogic, dateRangeBegin, dateRangeEnd]);
}

function refused(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}
