import { expect } from 'chai';
import fc from 'fast-check';
import { readFileHead } from '../../../../src/gateways/redcap/readings.js';

/** A header as Node reads it, with one character per byte. */
const header = (text: string) => ({ 'content-type': Buffer.from(text).toString('latin1') });

describe('readFileHead', () => {
  for (const [text, name, contentType] of [
    ['image/jpeg; name="mugshot-2.jpg"', 'mugshot-2.jpg', 'image/jpeg'],
    ['text/plain; name="notes.txt";charset=UTF-8', 'notes.txt', 'text/plain; charset=utf-8'],
    ['application/pdf; name=plain.pdf', 'plain.pdf', 'application/pdf'],
    ['application/pdf; name="a; name=b".pdf"', 'a; name=b".pdf', 'application/pdf'],
    ['application/pdf; name="étude.pdf"', 'étude.pdf', 'application/pdf'],
    ['nonsense; name="a"', 'a', 'application/octet-stream'],
    ['text/html\u00a0evil; name="a"', 'a', 'application/octet-stream'],
    ['application/pdf; name=""', '', 'application/pdf'],
  ] as const) {
    it(`reads ${text}`, () => {
      expect(readFileHead(header(text))).to.include({ name, contentType });
    });
  }

  it('reads a name in Latin-1', () => {
    expect(readFileHead({ 'content-type': 'application/pdf; name="\u00e9.pdf"' })).to.include({
      name: 'é.pdf',
    });
  });

  for (const text of ['', 'application/pdf', 'application/json; charset=utf-8', 'text/html; charset=UTF-8']) {
    it(`finds no file name in "${text}"`, () => {
      expect(readFileHead(header(text))).to.equal(undefined);
    });
  }

  it('knows the length only if the file is not compressed', () => {
    const named = header('application/pdf; name="a.pdf"');

    expect(readFileHead({ ...named, 'content-length': '12' })).to.include({ length: 12 });
    expect(readFileHead({ ...named, 'content-length': '12', 'content-encoding': 'gzip' })?.length).to.equal(
      undefined,
    );
    expect(readFileHead(named)?.length).to.equal(undefined);
  });

  it('reads every name that PHP writes, quoted and in UTF-8', () => {
    const names = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
      .filter((name) => !/[\p{Cc}\p{Cs}]/u.test(name));
    fc.assert(
      fc.property(names, fc.constantFrom('', ';charset=UTF-8'), (name, charset) => {
        expect(readFileHead(header(`text/plain; name="${name}"${charset}`))?.name).to.equal(name);
      }),
    );
  });
});
