import { expect } from 'chai';
import { guardTerminal } from '../../../../src/cli/printing/guard-terminal.js';

function written(isTTY: boolean, ...chunks: (string | Buffer)[]): string {
  const pieces: string[] = [];
  const stream = { isTTY, write: (chunk: string | Buffer) => pieces.push(chunk.toString()) > 0 };
  guardTerminal(stream as unknown as NodeJS.WriteStream);
  for (const chunk of chunks) stream.write(chunk);
  return pieces.join('');
}

describe('guardTerminal', () => {
  const HOSTILE = {
    'a title': ['a\u001b]0;title\u0007b', 'a ]0;title b'],
    'the clipboard': ['a\u001b]52;c;AAAA\u001b\\b', 'a ]52;c;AAAA \\b'],
    'lines above': ['a\u001b[2Ab\u001b[2Jc', 'a [2Ab\u001b[2Jc'],
    'an 8-bit sequence': ['a\u009b2Ab', 'a 2Ab'],
    'a return and backspaces': ['ok\rno\b\b', 'ok no  '],
    'the direction of text': ['a\u202eb\u2066c', 'a b c'],
  };
  for (const [what, [text = '', shown = '']] of Object.entries(HOSTILE))
    it(`takes from text what controls ${what}, whether it is text or bytes`, () => {
      expect(written(true, text)).to.equal(shown);
      expect(written(true, Buffer.from(text))).to.equal(shown);
    });

  it('leaves lines, tabs, colours, letters of any language, and what a progress and a question write', () => {
    const own = 'ä\t日本 👩‍🔬\n\u001b[33mwarning\u001b[39m\r\u001b[K[##..]\u001b[1G\u001b[0JStore? ';
    expect(written(true, own)).to.equal(own);
  });

  it('leaves a file or a pipe every byte', () => {
    expect(written(false, 'a\u001b]0;title\u0007b\r\n')).to.equal('a\u001b]0;title\u0007b\r\n');
  });
});
