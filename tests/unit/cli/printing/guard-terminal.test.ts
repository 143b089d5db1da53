import { expect } from 'chai';
import { guardTerminal } from '../../../../src/cli/printing/guard-terminal.js';

function written(isTTY: boolean, chunks: readonly (string | Buffer)[], hasProgress = false): string {
  const pieces: string[] = [];
  const stream = { isTTY, write: (chunk: string | Buffer) => pieces.push(chunk.toString()) > 0 };
  guardTerminal(stream as unknown as NodeJS.WriteStream, hasProgress);
  for (const chunk of chunks) stream.write(chunk);
  return pieces.join('');
}

describe('guardTerminal', () => {
  const HOSTILE = {
    'a title': ['a\u001b]0;title\u0007b', 'a ]0;title b'],
    'the clipboard': ['a\u001b]52;c;AAAA\u001b\\b', 'a ]52;c;AAAA \\b'],
    'lines above': ['a\u001b[2Ab\u001b[2Jc\u001b[1G', 'a [2Ab [2Jc [1G'],
    colours: ['\u001b[31mred\u001b[0m', ' [31mred [0m'],
    'the line of a progress': ['\r\u001b[K100 %', '  [K100 %'],
    'an 8-bit sequence': ['a\u009b2Ab', 'a 2Ab'],
    'a return and backspaces': ['ok\rno\b\b', 'ok no  '],
    'the direction of text': ['a\u202eb\u2066c', 'a b c'],
  };
  for (const [what, [text = '', shown = '']] of Object.entries(HOSTILE))
    it(`takes from text what controls ${what}, whether it is text or bytes`, () => {
      expect(written(true, [text])).to.equal(shown);
      expect(written(true, [Buffer.from(text)])).to.equal(shown);
    });

  it('leaves lines, tabs, letters of any language, and a character that two chunks share', () => {
    const text = 'ä\t日本 👩‍🔬\n';
    const bytes = Buffer.from(text);
    expect(written(true, [text])).to.equal(text);
    expect(written(true, [bytes.subarray(0, 4), bytes.subarray(4)])).to.equal(text);
  });

  it('leaves what a progress and a question write on standard error, before any text', () => {
    const own = ['\r\u001b[K[##..]', '\u001b[1G', '\u001b[0J', 'Store? '];
    expect(written(true, own, true)).to.equal(own.join(''));
    expect(written(true, ['\r\u001b[Ka\u001b[31mb'], true)).to.equal('\r\u001b[Ka [31mb');
    expect(written(true, ['\u001b[2Jgone'], true)).to.equal(' [2Jgone');
  });

  it('leaves a file or a pipe every byte', () => {
    expect(written(false, ['a\u001b]0;title\u0007b\r\n'])).to.equal('a\u001b]0;title\u0007b\r\n');
  });
});
