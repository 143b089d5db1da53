import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CrfError } from '../../errors/crf-error.js';
import { MalformedRequestError } from '../../errors/malformed-request-error.js';
import { isForbiddenName, type ImportEvent } from './import-event.js';
import type { ImportRequest } from './import-request.js';
import { NotUtf8Error, wholeCharacters } from './whole-characters.js';

/**
 * Reads CSV: a header of field names, then a row a record. Empty lines are passed over.
 *
 * @throws {MalformedRequestError} naming the row by its number, the header not counted
 * @see protocol reference 5.4 (client)
 */
export async function* parseCsvImport(
  pieces: AsyncIterable<Buffer>,
  { csvDelimiter = ',' }: Pick<ImportRequest, 'csvDelimiter'>,
  maxRowBytes: number,
): AsyncGenerator<ImportEvent, void, undefined> {
  const parser = parse({
    bom: true,
    delimiter: csvDelimiter === 'tab' ? '\t' : csvDelimiter,
    columns: false,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
  });
  // The failure reaches the reader below as the parser's error; the callback only keeps it from being thrown twice.
  pipeline(Readable.from(wholeCharacters(pieces), { objectMode: false }), parser, () => undefined);

  let header: readonly string[] | undefined;
  let position = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (header === undefined) {
        header = checkedHeader(cells);
        continue;
      }
      position++;
      yield toRow(header, cells, position);
    }
  } catch (error) {
    if (error instanceof CrfError) throw error;
    // Neither its message nor the error itself goes on: both hold cells of the input.
    if (error instanceof CsvError) throw unreadable(position + 1, 'cannot be read: mind its quotes');
    if (error instanceof NotUtf8Error) throw unreadable(position + 1, 'or one soon after it is not UTF-8');
    throw error;
  }
}

/** @throws {MalformedRequestError} a name is reserved, or stands twice */
function checkedHeader(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (isForbiddenName(name)) throw faultyColumn(index, 'has a reserved name');
    if (seen.has(name)) throw faultyColumn(index, 'has the name of another column');
    seen.add(name);
  }
  return names;
}

function toRow(header: readonly string[], cells: readonly string[], position: number): ImportEvent {
  if (cells.length !== header.length) {
    throw new MalformedRequestError(
      `Row number ${position} of the CSV has another number of cells (${cells.length}) than the header (${header.length}).`,
    );
  }
  const row: Record<string, string> = {};
  let bytes = 0;
  for (let at = 0; at < header.length; at++) {
    const name = header[at] ?? '';
    const cell = cells[at] ?? '';
    row[name] = cell;
    bytes += name.length + cell.length + CELL_OVERHEAD;
  }
  return { kind: 'row', row, bytes };
}

function faultyColumn(index: number, rule: string): MalformedRequestError {
  return new MalformedRequestError(`Column number ${index + 1} of the CSV's header ${rule}.`);
}

function unreadable(position: number, rule: string): MalformedRequestError {
  return new MalformedRequestError(`Row number ${position} of the CSV ${rule}.`);
}

/** Quotes, colon and comma of a cell in JSON. */
const CELL_OVERHEAD = 6;
