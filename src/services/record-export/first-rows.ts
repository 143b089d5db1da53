import type { Readable } from 'node:stream';
import { chunksOf } from './chunks-of.js';
import { CsvRowSplitter } from './csv-row-splitter.js';
import { GeneratorStream } from './generator-stream.js';
import { JsonArraySplitter } from './json-array-splitter.js';

/** The most rows that may be asked for as the first ones. */
export const MAX_FIRST_ROWS = 1_000_000;

/**
 * The first rows of an export in one call, in the form it has: a JSON array, or CSV with its header. REDCap's answer is
 * cancelled as soon as they are there; an export of fewer rows is passed on whole, and checked to be so.
 */
export function firstRowsOf(body: Readable, format: 'json' | 'csv', limit: number): Readable {
  const rows = format === 'json' ? firstOfJson(body, limit) : firstOfCsv(body, limit);
  return new GeneratorStream(rows, () => body.destroy());
}

/** The first elements of any rows; whatever gives them is left after the last. */
export async function* firstOf<Row>(rows: AsyncIterable<Row>, limit: number): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    count++;
    if (count === limit) return;
  }
}

async function* firstOfJson(body: Readable, limit: number): AsyncGenerator<Buffer, void, undefined> {
  const splitter = new JsonArraySplitter();
  let count = 0;
  for await (const chunk of chunksOf(body)) {
    const pieces: Buffer[] = [];
    splitter.push(chunk, (source, start, end) => {
      if (count === limit) return;
      pieces.push(count === 0 ? OPENING : COMMA, source.subarray(start, end));
      count++;
    });
    if (count === limit) {
      // Before the reader has taken anything: REDCap need not wait for it.
      body.destroy();
      yield Buffer.concat([...pieces, CLOSING]);
      return;
    }
    if (pieces.length > 0) yield Buffer.concat(pieces);
  }
  splitter.end();
  yield count === 0 ? Buffer.from('[]') : CLOSING;
}

async function* firstOfCsv(body: Readable, limit: number): AsyncGenerator<Buffer, void, undefined> {
  const splitter = new CsvRowSplitter();
  let lines = 0;
  let pieces: Buffer[] = [];
  const add = (source: Buffer, start: number, end: number): void => {
    // The header is a line and no row.
    if (lines > limit) return;
    pieces.push(source.subarray(start, end), Buffer.from(splitter.lineEnd));
    lines++;
  };
  for await (const chunk of chunksOf(body)) {
    splitter.push(chunk, add);
    const isEnough = lines > limit;
    if (isEnough) body.destroy();
    if (pieces.length > 0) yield Buffer.concat(pieces);
    if (isEnough) return;
    pieces = [];
  }
  splitter.end(add);
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');
