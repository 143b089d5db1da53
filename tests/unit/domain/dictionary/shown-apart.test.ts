import { expect } from 'chai';
import { shownApart } from '../../../../src/domain/dictionary/shown-apart.js';

describe('shownApart', () => {
  it('writes out the blanks of two values that only blanks tell apart', () => {
    expect(shownApart('Grüße', ' Grüße')).to.deep.equal(['Grüße', '␣Grüße']);
    expect(shownApart('a b', 'a  b\n')).to.deep.equal(['a␣b', 'a␣␣b\\n']);
  });

  it('names characters that nobody sees', () => {
    expect(shownApart('5 mg', '5\u00a0mg')).to.deep.equal(['5␣mg', '5\\u{a0}mg']);
    expect(shownApart('A', 'A\u200b')).to.deep.equal(['A', 'A\\u{200b}']);
  });

  it('leaves values as they are that look different', () => {
    expect(shownApart(' one', 'other')).to.deep.equal([' one', 'other']);
    expect(shownApart('', 'a b')).to.deep.equal(['', 'a b']);
  });
});
