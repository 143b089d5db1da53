import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidRequestError } from '../../../../src/errors/caller-errors.js';
import { FormBody } from '../../../../src/gateways/redcap/form-body.js';

describe('FormBody', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });

  it('round-trips texts, lists and booleans, and omits undefined', () => {
    fc.assert(
      fc.property(text, fc.array(text), fc.boolean(), (single, list, isOn) => {
        const form = new URLSearchParams(String(new FormBody({ single, list, isOn, left: undefined })));

        expect([...form]).to.deep.equal([
          ['single', single],
          ...list.map((item, index) => [`list[${index}]`, item]),
          ['isOn', String(isOn)],
        ]);
      }),
    );
  });

  it('knows its length in bytes before it is written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), text), (parameters) => {
        const body = new FormBody(parameters);

        expect(Buffer.byteLength(String(body))).to.equal(body.length);
      }),
    );
  });

  it('writes UTF-8 bytes exactly as it writes the text', () => {
    fc.assert(
      fc.property(text, (data) => {
        const ofBytes = new FormBody({ data: Buffer.from(data), after: '1' });
        const ofText = new FormBody({ data, after: '1' });

        expect(String(ofBytes)).to.equal(String(ofText));
        expect(ofBytes.length).to.equal(ofText.length);
      }),
    );
  });

  it('is the same in a buffer of any size', () => {
    const sizes = fc.integer({ min: 1024, max: 1040 });
    const long = fc.string({ unit: 'grapheme', minLength: 300, maxLength: 1000 });
    fc.assert(
      fc.property(
        long,
        fc.array(long, { maxLength: 4 }),
        fc.boolean(),
        sizes,
        (data, list, areBytes, size) => {
          const body = new FormBody({ list, data: areBytes ? Buffer.from(data) : data, last: '1' });

          expect(textOf(body, size)).to.equal(String(body));
        },
      ),
    );
  });

  for (const ahead of [0, 1, 2, 3, 4, 5, 6, 7]) {
    it(`is complete wherever its pieces are split (offset ${ahead})`, () => {
      const data = 'x'.repeat(ahead) + '😀ü"'.repeat(20_000);
      for (const given of [data, Buffer.from(data)]) {
        const body = new FormBody({ data: given, after: '1' });
        const pieces = [...body.pieces(Buffer.alloc(64 * 1024))].map((piece) => piece.length);

        expect(pieces.length).to.be.greaterThan(5);
        expect(sum(pieces)).to.equal(body.length);
        expect(textOf(body, 64 * 1024)).to.equal(String(body));
        expect(Object.fromEntries(new URLSearchParams(String(body)))).to.deep.equal({ data, after: '1' });
      }
    });
  }

  for (const half of ['\uD83D', 'a\uDE00b', '\uDE00\uD83D']) {
    it(`refuses an unpaired surrogate, naming its parameter: ${JSON.stringify(half)}`, () => {
      expect(() => new FormBody({ whole: '😀', data: half }))
        .to.throw(InvalidRequestError)
        .with.nested.property('errors[0].field', 'data');
    });
  }
});

/** Returns the pieces as one text. Each piece is read before the next is requested, because they share a buffer. */
function textOf(body: FormBody, bufferBytes: number): string {
  let text = '';
  for (const piece of body.pieces(Buffer.alloc(bufferBytes))) text += piece.toString('latin1');
  return text;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
