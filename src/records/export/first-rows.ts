import type { Readable } from 'node:stream';
import { chunksOf } from '../streaming/chunks-of.js';
import { delimiterByte, type CsvDelimiter } from '../../gateways/redcap/csv-delimiter.js';
import { CsvRowSplitter } from '../../gateways/redcap/csv-row-splitter.js';
import { GeneratorStream } from '../streaming/generator-stream.js';
import { JsonArraySplitter } from '../../gateways/redcap/json-array-splitter.js';

/**
 * Returns the first rows of a single-call export in its own format: a JSON array, or CSV with its header. REDCap's
 * answer is cancelled once these rows are there. An export with fewer rows is passed on completely and checked for
 * completeness.
 */
export function firstRowsOf(
  body: Readable,
  {
    format,
    csvDelimiter,
  }: { readonly format: 'json' | 'csv'; readonly csvDelimiter?: CsvDelimiter | undefined },
  limit: number,
): Readable {
  const rows =
    format === 'json' ? firstOfJson(body, limit) : firstOfCsv(body, delimiterByte(csvDelimiter), limit);
  return new GeneratorStream(rows, () => body.destroy());
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
      // Cancels before the reader has consumed anything, so that REDCap does not have to wait.
      body.destroy();
      yield Buffer.concat([...pieces, CLOSING]);
      return;
    }
    if (pieces.length > 0) yield Buffer.concat(pieces);
  }
  splitter.end();
  yield count === 0 ? Buffer.from('[]') : CLOSING;
}

async function* firstOfCsv(
  body: Readable,
  delimiter: number,
  limit: number,
): AsyncGenerator<Buffer, void, undefined> {
  const splitter = new CsvRowSplitter(delimiter);
  let lines = 0;
  let pieces: Buffer[] = [];
  const add = (source: Buffer, start: number, end: number): void => {
    // The header is a line but not a row.
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
