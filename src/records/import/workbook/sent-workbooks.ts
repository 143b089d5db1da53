import { refusal } from '../../../domain/errors/refusal.js';
import { ImportBody } from '../import-body.js';
import type { ImportRequest, SentImportRequest } from '../import-request.js';
import { InputErrors } from '../input-errors.js';
import { Turns } from '../turns.js';
import type { WorkbookRows } from './read-workbook.js';
import { MIB, SERVICE_LIMITS } from './workbook-limits.js';

/** What an import reads: the body itself, or the rows of the workbook that it is. */
export interface SentRows {
  readonly request: ImportRequest;
  readonly pieces: AsyncIterable<Buffer>;
}

/** The size of rows that wait for their imports, beyond which no other workbook is read. */
const MAX_WAITING_BYTES = 64 * MIB;

/**
 * Reads the workbooks that are sent to a process, one at a time, so that many take little more memory than one. There is
 * one for all its projects and views.
 */
export class SentWorkbooks {
  readonly #turns = new Turns();
  /** The size of the rows that imports have not read yet. */
  #waitingBytes = 0;
  #onRead: () => void = () => undefined;

  /**
   * Returns what an import reads of a body. Reading it throws the errors of `readWorkbook`, and InvalidRequestError for
   * options that concern other bodies.
   *
   * @param limitBytes maximum size of the rows of a workbook, whose cells may share one long text
   */
  rowsOf(body: ImportBody, sent: SentImportRequest, limitBytes: number): SentRows {
    const { sheet, format, ...request } = sent;
    const isText = format !== 'xlsx';
    const pieces = isText && sheet === undefined ? body.pieces() : this.#read(body, sent, limitBytes);
    if (isText) return { request: { ...request, format }, pieces };
    // A spreadsheet drops the zeros at the end that a field may need.
    const { decimalCharacter = '.' } = request;
    return { request: { ...request, format: 'ndjson', decimalCharacter }, pieces };
  }

  async *#read(body: ImportBody, sent: SentImportRequest, limitBytes: number): AsyncGenerator<Buffer> {
    checkOptions(sent);
    const workbook = await startOf(body);
    const { ndjson, bytes } = await this.#inTurn(async () => {
      const { readWorkbook } = await import('./read-workbook.js');
      return readWorkbook(workbook, sent, new InputErrors(sent.inputName), SERVICE_LIMITS);
    });
    try {
      yield* new ImportBody(ndjson, { limitBytes }).pieces();
    } finally {
      this.#waitingBytes -= bytes;
      this.#onRead();
    }
  }

  #inTurn(read: () => Promise<WorkbookRows>): Promise<WorkbookRows> {
    return this.#turns.take(async () => {
      while (this.#waitingBytes > MAX_WAITING_BYTES)
        await new Promise<void>((resolve) => (this.#onRead = resolve));
      const found = await read();
      this.#waitingBytes += found.bytes;
      return found;
    });
  }
}

/** Reads a body, but not much more than a workbook may have: that tells that it is too large. */
async function startOf(body: ImportBody): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body.pieces()) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > SERVICE_LIMITS.bytes) break;
  }
  return Buffer.concat(pieces);
}

/** @throws {InvalidRequestError} names an option of another body */
function checkOptions({ format, csvDelimiter, encoding, values }: SentImportRequest): void {
  if (format !== 'xlsx') throw refusal('sheet', 'needs a workbook (.xlsx)');
  if (csvDelimiter !== undefined) throw refusal('csvDelimiter', 'needs a CSV body');
  if (encoding !== undefined) throw refusal('encoding', 'needs a body of text');
  if (values === 'typed') throw refusal('values', 'must be raw for a workbook');
}
