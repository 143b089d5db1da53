import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { NdjsonStream } from '../../../../src/records/formats/ndjson-stream.js';
import { rejection } from '../../../support/rejection.js';
import { readableOf } from '../../../support/fake-project.js';

describe('NdjsonStream', () => {
  it('writes one object per line, however the input is split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.string())),
        fc.integer({ min: 1, max: 50 }),
        async (rows, size) => {
          const body = readableOf(Buffer.from(JSON.stringify(rows)), size);

          const text = String(await buffer(body.pipe(new NdjsonStream())));

          expect(text).to.equal(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('STR-01: ends a complete export with the number of its lines if requested', async () => {
    const body = readableOf(Buffer.from('[{"a":1},{"a":2}]'), 5);

    const text = String(await buffer(body.pipe(new NdjsonStream({ trailer: true }))));

    expect(text).to.equal('{"a":1}\n{"a":2}\n{"_complete":true,"records":2}\n');
  });

  it('STR-01: writes complete lines and no trailer if the array is not closed', async () => {
    let text = '';
    const sink = new Writable({ write: (chunk, _encoding, done) => ((text += String(chunk)), done()) });
    const body = readableOf(Buffer.from('[{"a":1},{"a":2},{"a"'), 4);

    const error = await rejection(pipeline(body, new NdjsonStream({ trailer: true }), sink));

    expect(error).to.have.property('code', 'upstream_invalid');
    expect(text).to.equal('{"a":1}\n{"a":2}\n');
  });

  it('writes many records in a few large chunks', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => ({ index }));
    const stream = new NdjsonStream();
    const sizes: number[] = [];
    stream.on('data', (chunk: Buffer) => sizes.push(chunk.length));

    stream.end(Buffer.from(JSON.stringify(rows)));
    await once(stream, 'end');

    expect(sizes).to.have.length.of.at.most(2);
  });
});
