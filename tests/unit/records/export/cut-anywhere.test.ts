import { finished } from 'node:stream/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { UpstreamInvalidError } from '../../../../src/domain/errors/upstream-errors.js';
import { delimiterByte } from '../../../../src/gateways/redcap/csv-delimiter.js';
import { CsvRowSplitter } from '../../../../src/gateways/redcap/csv-row-splitter.js';
import { JsonArraySplitter, type OnSlice } from '../../../../src/gateways/redcap/json-array-splitter.js';
import { NdjsonStream } from '../../../../src/records/formats/ndjson-stream.js';
import { chunksOf, readableOf } from '../../../support/fake-project.js';

/** Text that contains the delimiters of the formats. */
const text = fc.string({
  unit: fc.constantFrom('a', 'é', '💉', '"', ',', '\n', '\\', '{', '}', '[', ']'),
  maxLength: 8,
});
const rows = fc.array(fc.record({ record_id: text, note: text }), { minLength: 1, maxLength: 6 });
/** A position in a body, as a fraction of its length, and the size of its chunks. */
const cut = fc.tuple(
  fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  fc.integer({ min: 1, max: 30 }),
);

interface Cut {
  /** The slices that the splitter reported. */
  readonly slices: readonly string[];
  readonly error: unknown;
}

/** Runs a splitter over the first part of a body, and returns its slices and its error. */
function split(
  splitter: { push(chunk: Buffer, onSlice: OnSlice): void; end(onSlice: OnSlice): void },
  chunks: readonly Buffer[],
): Cut {
  const slices: string[] = [];
  const onSlice: OnSlice = (source, start, end) => slices.push(source.toString('utf8', start, end));
  try {
    for (const chunk of chunks) splitter.push(chunk, onSlice);
    splitter.end(onSlice);
    return { slices, error: undefined };
  } catch (error) {
    return { slices, error };
  }
}

describe('An export that is truncated at any byte', () => {
  it('yields complete JSON rows in order, and then fails', () => {
    fc.assert(
      fc.property(rows, cut, (sent, [share, size]) => {
        const whole = Buffer.from(JSON.stringify(sent));
        const part = whole.subarray(0, Math.floor(whole.length * share));

        const { slices, error } = split(new JsonArraySplitter(), chunksOf(part, size));

        expect(slices).to.deep.equal(sent.slice(0, slices.length).map((row) => JSON.stringify(row)));
        expect(error).to.be.instanceOf(UpstreamInvalidError);
      }),
      { numRuns: 500 },
    );
  });

  it('yields complete NDJSON lines without a trailer, and then fails', async () => {
    await fc.assert(
      fc.asyncProperty(rows, cut, async (sent, [share, size]) => {
        const whole = Buffer.from(JSON.stringify(sent));
        const stream = readableOf(whole.subarray(0, Math.floor(whole.length * share)), size).pipe(
          new NdjsonStream({ trailer: true }),
        );
        let lines = '';
        stream.on('data', (chunk: Buffer) => (lines += chunk.toString()));
        const error: unknown = await finished(stream).catch((failure: unknown) => failure);

        const all = sent.map((row) => `${JSON.stringify(row)}\n`);
        expect(all.join('').startsWith(lines)).to.equal(true);
        expect(lines === '' || lines.endsWith('\n')).to.equal(true);
        expect(error).to.be.instanceOf(UpstreamInvalidError);
      }),
      { numRuns: 300 },
    );
  });

  it('yields complete CSV rows in order, before at most one that is truncated', () => {
    const toCell = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(rows, cut, fc.constantFrom('\n', '\r\n'), (sent, [share, size], lineEnd) => {
        const lines = [
          'record_id,note',
          ...sent.map((row) => `${toCell(row.record_id)},${toCell(row.note)}`),
        ];
        const whole = Buffer.from(lines.map((line) => line + lineEnd).join(''));
        const part = whole.subarray(0, Math.floor(whole.length * share));

        const { slices } = split(new CsvRowSplitter(delimiterByte(',')), chunksOf(part, size));

        const last = slices.at(-1) ?? '';
        const before = slices.slice(0, -1);
        expect(before).to.deep.equal(lines.slice(0, before.length));
        // A character may be split, too.
        expect(lines[before.length]).to.satisfy((line: string) =>
          line.startsWith(last.replace(/\uFFFD+$/, '')),
        );
      }),
      { numRuns: 500 },
    );
  });
});
