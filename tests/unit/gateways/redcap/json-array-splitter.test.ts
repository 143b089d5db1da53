import { expect } from 'chai';
import fc from 'fast-check';
import { UpstreamInvalidError } from '../../../../src/domain/errors/upstream-errors.js';
import { hasControlBytes, JsonArraySplitter } from '../../../../src/gateways/redcap/json-array-splitter.js';
import { chunksOf } from '../../../support/fake-project.js';

describe('JsonArraySplitter', () => {
  const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()));
  const rows = fc.array(
    fc.record({ record_id: fc.string(), note: fc.constantFrom('},{', '"},{"a', '\\"},{"a', '\\', 'ü', '') }),
  );
  const chunkBytes = fc.integer({ min: 1, max: 40 });

  it('returns the records of any array, however its chunks are split', () => {
    fc.assert(
      fc.property(objects, chunkBytes, (records, size) => {
        expect(split(JSON.stringify(records), size)).to.deep.equal(
          records.map((record) => JSON.stringify(record)),
        );
      }),
    );
  });

  it('returns rows whose values look like the boundary between two records', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 400 }), (records, size) => {
        expect(split(JSON.stringify(records), size)).to.deep.equal(
          records.map((record) => JSON.stringify(record)),
        );
      }),
    );
  });

  it('returns each record of a pretty-printed array on one line', () => {
    fc.assert(
      fc.property(objects, fc.constantFrom('\t', 1, 4), chunkBytes, (records, indent, size) => {
        const lines = split(JSON.stringify(records, null, indent), size);

        expect(lines.filter((line) => /[\r\n]/.test(line))).to.deep.equal([]);
        // Compared as JSON, which has no negative zero.
        expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).to.deep.equal(
          records.map((record) => JSON.stringify(record)),
        );
      }),
    );
  });

  it('passes on bytes that are not UTF-8, and does not split at them', () => {
    const text = Buffer.concat([
      Buffer.from('[{"a":"'),
      Buffer.from([0xff, 0xc3, 0x80]),
      Buffer.from('"},{"a":"x"}]'),
    ]);

    const found = splitBytes(text, 3);

    expect(found.map((record) => record.toString('latin1'))).to.deep.equal([
      '{"a":"\xff\xc3\x80"}',
      '{"a":"x"}',
    ]);
  });

  for (const size of [1, 7, 1000]) {
    it(`escapes line breaks and other control characters inside strings (chunks of ${size})`, () => {
      const found = split('[{"a":"one\ntwo\u0000\\\n\\"\t"},{"b": 1}]', size);

      expect(found).to.deep.equal(['{"a":"one\\u000atwo\\u0000\\u000a\\"\\u0009"}', '{"b": 1}']);
    });
  }

  for (const text of ['', '  ', '[', '[{"a":1}', '[{"a":1},', '[{"a":"1']) {
    it(`refuses an unclosed array: ${JSON.stringify(text)}`, () => {
      expect(() => split(text, 1)).to.throw(UpstreamInvalidError, 'ended in the middle');
    });
  }

  for (const text of [
    '{"a":1}',
    '[1]',
    '["a"]',
    '[[]]',
    '[{"a":1}]x',
    '[{}][',
    '[{} {}]',
    '[,{}]',
    '[{},]',
    '<html>',
    '[{"a":1]',
  ]) {
    it(`refuses anything but an array of objects: ${text}`, () => {
      expect(() => split(text, 2)).to.throw(UpstreamInvalidError, 'something else');
    });
  }

  it('allows white space around the array and between records', () => {
    expect(split(' \r\n[ {} ,\n{"a":[{}]}\t] \n', 1)).to.deep.equal(['{}', '{"a":[{}]}']);
  });

  for (const size of [10, 100_000]) {
    it(`refuses a record larger than the limit, in chunks of ${size}`, () => {
      const text = `[{"a":"${'x'.repeat(1000)}"}]`;

      expect(() => split(text, size, 1000)).to.throw(UpstreamInvalidError, 'larger');
      expect(split(text, size, 1008)).to.have.length(1);
    });
  }

  it('never changes a record that it has returned', () => {
    const found = splitBytes(Buffer.from('[{"a":"first"},{"a":"other"},{"a":"third"}]'), 5);

    expect(found.map(String)).to.deep.equal(['{"a":"first"}', '{"a":"other"}', '{"a":"third"}']);
  });
});

describe('hasControlBytes', () => {
  it('finds exactly the bytes below 0x20, at any alignment', () => {
    const byte = fc.oneof(fc.integer({ min: 0x1f, max: 0xff }), fc.constantFrom(0x20, 0x80, 0xa0, 0xff));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), fc.integer({ min: 0, max: 5 }), (bytes, offset) => {
        const shifted = Buffer.from([...Array<number>(offset).fill(0), ...bytes]).subarray(offset);

        expect(hasControlBytes(shifted)).to.equal(bytes.some((value) => value < 0x20));
      }),
      { numRuns: 1000 },
    );
  });
});

function split(text: string, size: number, maxRecordBytes?: number): string[] {
  return splitBytes(Buffer.from(text), size, maxRecordBytes).map(String);
}

function splitBytes(bytes: Buffer, size: number, maxRecordBytes?: number): Buffer[] {
  const found: Buffer[] = [];
  const splitter = new JsonArraySplitter({ maxRecordBytes });
  for (const chunk of chunksOf(bytes, size)) {
    splitter.push(chunk, (source, start, end) => found.push(source.subarray(start, end)));
  }
  splitter.end();
  return found;
}
