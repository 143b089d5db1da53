import { expect } from 'chai';
import { Readable } from 'node:stream';
import { splitLines } from '../../../../src/cli/files/byte-lines.js';

describe('splitLines', () => {
  for (const size of [1, 2, 3, 100])
    it(`keeps nothing of a line that is too long, in chunks of ${size} bytes`, async () => {
      const text = 'one\n\ntoo long\nfour\u2028\nrest';
      expect(await linesOf(text, size)).to.deep.equal([
        { text: 'one', isEnded: true },
        { text: '', isEnded: true },
        { text: undefined },
        { text: 'four\u2028', isEnded: true },
        { text: 'rest', isEnded: false },
      ]);
    });

  it('says once that a last line is too long', async () => {
    expect(await linesOf('one\nmuch too long', 4)).to.deep.equal([
      { text: 'one', isEnded: true },
      { text: undefined },
    ]);
  });
});

/** A line may have seven bytes. */
async function linesOf(text: string, size: number): Promise<object[]> {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const lines: object[] = [];
  for await (const { bytes: line, isEnded } of splitLines(Readable.from(chunks), 7))
    lines.push(line === undefined ? { text: undefined } : { text: line.toString('utf8'), isEnded });
  return lines;
}
