import { expect } from 'chai';
import { cut } from '../../../../src/pages/dashboard/cut.js';

describe('cut', () => {
  it('shortens a text to the number of characters', () => {
    expect(cut('Adverse events', 14)).to.equal('Adverse events');
    expect(cut('Adverse events', 9)).to.equal('Adverse…');
  });

  it('never splits a character', () => {
    expect(cut('a😀😀😀😀', 3)).to.equal('a😀…');
  });
});
