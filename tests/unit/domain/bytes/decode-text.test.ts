import { expect } from 'chai';
import { decodeText, type DecodeOptions } from '../../../../src/domain/bytes/decode-text.js';

const TEXT = 'name\nZoë – “€”\n';
const UTF16LE = Buffer.from(TEXT, 'utf16le');
const UTF16BE = Buffer.from(UTF16LE).swap16();
/** The Windows-1252 bytes of the text. */
const WINDOWS = Buffer.from(
  TEXT.replace('–', '\u0096').replace('“', '\u0093').replace('”', '\u0094').replace('€', '\u0080'),
  'latin1',
);
const mark = (...bytes: number[]): Buffer => Buffer.from(bytes);
const xml = (encoding: string, text = 'Zoë'): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>\n<a>${text}</a>`, 'latin1');

function refusal(bytes: Buffer, options: DecodeOptions = {}): string {
  const text = decodeText(bytes, { takesEncoding: true, ...options });
  return typeof text === 'string' ? 'it was read' : text.message;
}

describe('decodeText', () => {
  it('reads UTF-8, with and without its byte order mark', () => {
    expect(decodeText(Buffer.from(TEXT))).to.equal(TEXT);
    expect(decodeText(Buffer.concat([mark(0xef, 0xbb, 0xbf), Buffer.from(TEXT)]))).to.equal(TEXT);
  });

  for (const [encoding, bytes] of [
    ['utf-16le', UTF16LE],
    ['utf-16le', Buffer.concat([mark(0xff, 0xfe), UTF16LE])],
    ['utf-16be', UTF16BE],
    ['utf-16be', Buffer.concat([mark(0xfe, 0xff), UTF16BE])],
  ] as const)
    it(`reads ${encoding} of ${bytes.length} bytes if it is stated, and otherwise suggests it`, () => {
      expect(decodeText(bytes, { encoding })).to.equal(TEXT);
      expect(refusal(bytes)).to.match(new RegExp(`^is UTF-16 .*, or give its encoding \\(${encoding}\\)$`));
      expect(refusal(bytes, { takesEncoding: false })).to.match(/^is UTF-16 .*: save it as UTF-8$/);
    });

  it('reads Windows-1252 if it is stated, and otherwise suggests it', () => {
    expect(decodeText(WINDOWS, { encoding: 'windows-1252' })).to.equal(TEXT);
    expect(refusal(WINDOWS)).to.equal(
      'is not UTF-8: save the file as UTF-8, or give its encoding (windows-1252?)',
    );
  });

  it('refuses a byte order mark of another encoding than is stated', () => {
    expect(refusal(Buffer.concat([mark(0xff, 0xfe), UTF16LE]), { encoding: 'utf-16be' })).to.equal(
      'is not UTF-16 (big endian), as its encoding says',
    );
    expect(refusal(Buffer.from(`\ufeff${TEXT}`), { encoding: 'windows-1252' })).to.equal(
      'is not Windows-1252, as its encoding says',
    );
  });

  it('refuses XML that declares another encoding, and suggests it', () => {
    expect(refusal(xml('ISO-8859-1'))).to.equal(
      'declares the encoding ISO-8859-1: save the file as UTF-8, or give its encoding (windows-1252)',
    );
    expect(refusal(xml('ISO-8859-15'))).to.equal('declares the encoding ISO-8859-15: save the file as UTF-8');
    // The bytes of this one are UTF-8 by chance.
    expect(refusal(xml('windows-1252', 'Ã«'))).to.include('give its encoding (windows-1252)');
  });

  it('reads XML whose declaration makes no difference, or is overruled', () => {
    expect(decodeText(xml('windows-1252', 'Zoe'))).to.include('<a>Zoe</a>');
    expect(decodeText(xml('utf-8', ''))).to.include('<a></a>');
    expect(decodeText(xml('windows-1252'), { encoding: 'windows-1252' })).to.include('<a>Zoë</a>');
  });

  it('refuses a workbook, whatever encoding is stated', () => {
    const workbook = Buffer.from('PK\x03\x04\x14\x00');
    expect(refusal(workbook)).to.include('is a workbook');
    expect(refusal(workbook, { encoding: 'windows-1252' })).to.include('is a workbook');
  });
});
