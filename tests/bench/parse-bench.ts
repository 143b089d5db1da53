import { parse } from 'csv-parse';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { delimiterByte } from '../../src/gateways/redcap/csv-delimiter.js';
import { CsvRowSplitter } from '../../src/gateways/redcap/csv-row-splitter.js';
import { JsonArraySplitter } from '../../src/gateways/redcap/json-array-splitter.js';
import { CsvParser } from '../../src/records/import/csv-parser.js';
import { InputErrors } from '../../src/records/import/input-errors.js';
import { median } from './load.js';
import { seconds, type Row } from './row.js';
import { csvRows, fieldNamesOf, idsOf, jsonRows } from './upstream/bench-rows.js';

const RECORDS = 100_000;
const FIELDS = 50;
const ROUNDS = 3;
const CHUNK_BYTES = 64 * 1024;

/** Compares the parsers that the service wrote itself with `csv-parse` and `JSON.parse`: decision 12 rests on it. */
export async function parseBench(): Promise<Row[]> {
  const [ids, names] = [idsOf(RECORDS), fieldNamesOf(FIELDS)];
  const csv = chunked(Buffer.concat([Buffer.from(`${names.join(',')}\n`), csvRows(ids, names).bytes]));
  const { bytes } = jsonRows(ids, names);
  const json = chunked(
    Buffer.concat([Buffer.from('['), bytes.subarray(0, bytes.length - 1), Buffer.from(']')]),
  );
  const own = await processorTime(() => parsedByUs(csv));
  const split = await processorTime(() => splitCsv(csv));
  const library = await processorTime(() => parsedByLibrary(csv));
  const rows = await processorTime(() => splitJson(json, () => undefined));
  const objects = await processorTime(() => splitJson(json, (row) => JSON.parse(row.toString('utf8'))));
  return [
    row('CSV of 100,000 × 50: cells by `CsvParser` against `csv-parse`', own, library),
    row('CSV of 100,000 × 50: rows by `CsvRowSplitter` against `csv-parse`', split, library),
    row('JSON of 100,000 × 50: rows by `JsonArraySplitter` against `JSON.parse` of each', rows, objects),
  ];
}

function row(what: string, ms: number, otherMs: number): Row {
  return {
    what,
    figures: `${seconds(ms)} against ${seconds(otherMs)} of processor time`,
    ratio: ms / otherMs,
  };
}

function chunked(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES));
}

/** @returns the median of a few runs in milliseconds, of all threads */
async function processorTime(work: () => number | Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    const counted = await work();
    const { user, system } = process.cpuUsage(before);
    if (counted < RECORDS) throw new Error(`${counted} rows of ${RECORDS}`);
    times.push((user + system) / 1000);
  }
  return median(times);
}

function parsedByUs(chunks: readonly Buffer[]): number {
  const parser = new CsvParser(undefined, CHUNK_BYTES, new InputErrors());
  let rows = 0;
  for (const chunk of chunks) for (const _ of parser.push(chunk)) rows += 1;
  return rows;
}

function splitCsv(chunks: readonly Buffer[]): number {
  const splitter = new CsvRowSplitter(delimiterByte(','));
  let rows = 0;
  for (const chunk of chunks) splitter.push(chunk, () => (rows += 1));
  return rows;
}

async function parsedByLibrary(chunks: readonly Buffer[]): Promise<number> {
  let rows = 0;
  const count = new Writable({
    objectMode: true,
    write: (_row, _encoding, done) => {
      rows += 1;
      done();
    },
  });
  await pipeline(Readable.from(chunks), parse(), count);
  return rows;
}

function splitJson(chunks: readonly Buffer[], use: (row: Buffer) => unknown): number {
  const splitter = new JsonArraySplitter();
  let rows = 0;
  for (const chunk of chunks)
    splitter.push(chunk, (source, start, end) => {
      use(source.subarray(start, end));
      rows += 1;
    });
  return rows;
}
