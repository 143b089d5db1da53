import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../../../errors/caller-errors.js';
import { ImportBody } from '../import-body.js';
import type { ImportRequest, SentImportRequest } from '../import-request.js';
import { InputErrors } from '../input-errors.js';
import type { WorkbookLimits } from './read-workbook.js';

const MIB = 1024 * 1024;

/** A workbook is parsed without a pause: other requests wait about a second for 2 MB, 35,000 rows of ten columns. */
const LIMITS: WorkbookLimits = { bytes: 2 * MIB, unpackedBytes: 32 * MIB, cells: 1_000_000 };

/** What an import reads: the body itself, or the rows of the workbook that it is. */
export interface SentRows {
  readonly request: ImportRequest;
  readonly pieces: AsyncIterable<Buffer>;
}

/** Reads the workbooks that are sent to the service, one at a time, so that many take no more memory than one. */
export class SentWorkbooks {
  #last: Promise<unknown> = Promise.resolve();

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
    const rows = await this.#inTurn(async () => {
      const { readWorkbook } = await import('./read-workbook.js');
      const choice = { sheet: sent.sheet, decimal: sent.decimalCharacter };
      return readWorkbook(workbook, choice, new InputErrors(sent.inputName), LIMITS);
    });
    yield* new ImportBody(rows, { limitBytes }).pieces();
  }

  #inTurn(read: () => Promise<Readable>): Promise<Readable> {
    const rows = this.#last.then(read);
    this.#last = rows.catch(() => undefined);
    return rows;
  }
}

/** Reads a body, but not much more than a workbook may have: that tells that it is too large. */
async function startOf(body: ImportBody): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body.pieces()) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > LIMITS.bytes) break;
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

function refusal(field: string, message: string): InvalidRequestError {
  return new InvalidRequestError([{ field, message }]);
}
