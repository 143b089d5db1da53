import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidRequestError } from '../../../../src/errors/invalid-request-error.js';
import { FormBody } from '../../../../src/gateways/redcap/form-body.js';

describe('FormBody', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });

  it('gives back what went in, whatever it is', () => {
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

  it('is whole wherever its pieces are cut', () => {
    for (const ahead of [0, 1, 2, 3]) {
      const data = 'x'.repeat(ahead) + '😀ü"'.repeat(20_000);

      const pieces = [...new FormBody({ data, after: '1' }).pieces()];

      expect(pieces.length).to.be.greaterThan(10);
      expect(Math.max(...pieces.map((piece) => piece.length))).to.be.lessThan(128 * 1024);
      expect(Object.fromEntries(new URLSearchParams(pieces.join('')))).to.deep.equal({ data, after: '1' });
    }
  });

  it('writes a long text as one parameter', () => {
    const data = { parts: ['[{"a":"1"}', ',{"a":"2"}', ']'] };

    const form = new URLSearchParams(String(new FormBody({ data, after: '1' })));

    expect([...form]).to.deep.equal([
      ['data', '[{"a":"1"},{"a":"2"}]'],
      ['after', '1'],
    ]);
  });

  for (const half of ['\uD83D', 'a\uDE00b', '\uDE00\uD83D']) {
    it(`refuses half of a surrogate pair, naming its parameter: ${JSON.stringify(half)}`, () => {
      expect(() => new FormBody({ whole: '😀', data: half }))
        .to.throw(InvalidRequestError)
        .with.nested.property('errors[0].field', 'data');
    });
  }
});
