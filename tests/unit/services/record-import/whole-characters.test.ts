import { expect } from 'chai';
import fc from 'fast-check';
import { NotUtf8Error, wholeCharacters } from '../../../../src/services/record-import/whole-characters.js';

describe('wholeCharacters', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 10 });

  it('gives the bytes of a text back, whole characters in each piece, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(text, sizes, async (sent, cuts) => {
        const bytes = Buffer.from(sent);
        const given = await all(wholeCharacters(piecesOf(bytes, cuts)));

        expect(Buffer.concat(given)).to.deep.equal(Buffer.from(sent));
        for (const piece of given) expect(Buffer.from(piece.toString())).to.deep.equal(piece);
      }),
    );
  });

  it('accepts and refuses what a decoder does', async () => {
    const byte = fc.oneof(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xc0, 0xe0, 0xa0, 0xed, 0xf0, 0x90, 0xf4, 0xff),
      fc.nat(255),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(byte, { maxLength: 8 }), sizes, async (sent, cuts) => {
        const bytes = Buffer.from(sent);
        expect(await isAccepted(wholeCharacters(piecesOf(bytes, cuts)))).to.equal(isText(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it('refuses a text that ends inside of a character', async () => {
    const cut = Buffer.from('naïve é').subarray(0, -1);
    expect(await isAccepted(wholeCharacters(piecesOf(cut, [3])))).to.equal(false);
  });
});

/** The bytes in pieces of these sizes, over and over. */
async function* piecesOf(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1;
    yield await Promise.resolve(bytes.subarray(at, at + size));
    at += size;
  }
}

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const given: Buffer[] = [];
  for await (const piece of pieces) given.push(piece);
  return given;
}

async function isAccepted(pieces: AsyncIterable<Buffer>): Promise<boolean> {
  try {
    await all(pieces);
    return true;
  } catch (error) {
    if (error instanceof NotUtf8Error) return false;
    throw error;
  }
}

function isText(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
