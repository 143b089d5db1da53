import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { AnswerBody } from '../../../../src/gateways/redcap/answer-body.js';
import { AnswerStream } from '../../../../src/gateways/redcap/answer-stream.js';
import { CSV_FORM, JSON_FORM } from '../../../../src/gateways/redcap/export-form.js';
import { rejection } from '../../../support/rejection.js';

const KIB = 1024;

describe('AnswerStream', () => {
  const text = JSON.stringify(
    Array.from({ length: 4000 }, (_, index) => ({ record_id: String(index), note: 'x'.repeat(KIB) })),
  );

  it('yields to the event loop while it passes on an answer that arrives all at once', async () => {
    const stream = await open(bodyOf(text, 64 * KIB));
    let [bytes, bytesInTurn, most] = [0, 0, 0];
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      bytesInTurn += chunk.length;
    });

    while (!stream.readableEnded) {
      await nextTurn();
      most = Math.max(most, bytesInTurn);
      bytesInTurn = 0;
    }

    expect(bytes).to.equal(text.length);
    // At most the bytes buffered before the stream was read, and one turn's worth.
    expect(most).to.be.at.most(2 * 256 * KIB + 64 * KIB);
  });

  it('yields to the event loop for a reader that is slow at times', async () => {
    const stream = await open(bodyOf(text, 64 * KIB));
    let [bytesInTurn, most, isOver] = [0, 0, false];
    const sink = new Writable({
      highWaterMark: 16 * KIB,
      write: (chunk: Buffer, _encoding, done) => {
        bytesInTurn += chunk.length;
        process.nextTick(done);
      },
    });
    stream.pipe(sink).once('finish', () => (isOver = true));

    while (!isOver) {
      await nextTurn();
      most = Math.max(most, bytesInTurn);
      bytesInTurn = 0;
    }

    expect(most).to.be.at.most(2 * 256 * KIB + 64 * KIB);
  });

  for (const form of [JSON_FORM, CSV_FORM]) {
    it(`refuses blanks without end in the place of ${form.name}`, async () => {
      let pieces = 0;
      const blanks = (function* () {
        for (; pieces < 1000; pieces += 1) yield Buffer.alloc(KIB, ' ');
      })();

      const error = await rejection(
        AnswerStream.open(toBody(Readable.from(blanks)), { form, idleMs: 60_000 }),
      );

      expect(error).to.have.property('code', 'upstream_invalid');
      expect(pieces).to.be.below(100);
    });
  }

  it('recognises a long web page that arrives byte by byte, without joining it again for each byte', async () => {
    const page = `<html>${'x'.repeat(64 * KIB)}`;
    const bytes = Readable.from(Array.from(page, (char) => Buffer.from(char)));

    const concat = Buffer.concat.bind(Buffer);
    let joined = 0;
    Buffer.concat = (...args) => {
      const whole = concat(...args);
      joined += whole.length;
      return whole;
    };

    const error = await rejection(
      AnswerStream.open(toBody(bytes), { form: JSON_FORM, idleMs: 60_000 }),
    ).finally(() => (Buffer.concat = concat));

    expect(error.message).to.include('web page');
    expect(joined).to.be.below(40 * page.length);
  });

  it('delivers every byte once, however its reader pauses and resumes', async () => {
    const turns = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });
    const sizes = fc.constantFrom(10 * KIB, 64 * KIB, 300 * KIB);
    await fc.assert(
      fc.asyncProperty(turns, sizes, async (pauses, chunkBytes) => {
        const stream = await open(bodyOf(text, chunkBytes));
        let [read, chunks] = ['', 0];
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          read += String(chunk);
          for (let left = pauses[chunks++ % pauses.length] ?? 0; left > 0; left--) await nextTurn();
        }

        expect(read === text).to.equal(true);
      }),
      { numRuns: 20 },
    );
  });
});

function open(body: AnswerBody): Promise<AnswerStream> {
  return AnswerStream.open(body, { form: JSON_FORM, idleMs: 5000 });
}

/** An answer that is available as a whole and arrives as fast as it is read. */
function bodyOf(text: string, chunkBytes: number): AnswerBody {
  const all = Buffer.from(text);
  let at = 0;
  const bytes = new Readable({
    read(): void {
      this.push(at < all.length ? all.subarray(at, (at += chunkBytes)) : null);
    },
  });
  return toBody(bytes);
}

function toBody(bytes: Readable): AnswerBody {
  return { bytes, hasMarkedEnd: true, isWhole: () => true, destroy: () => void bytes.destroy() };
}
