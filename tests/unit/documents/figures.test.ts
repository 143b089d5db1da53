import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readFigures, writeFigures, type Figure } from '../../../scripts/figures.js';

const page = readFileSync(new URL('../../../docs/figures.md', import.meta.url), 'utf8');

describe('docs/figures.md', () => {
  it('has a name, a measurement and a date on each of its lines, at most thirty', () => {
    const figures = readFigures(page);

    expect(figures).to.have.lengthOf.within(1, 30);
    expect(figures.filter(({ what, measured }) => what === '' || measured === '')).to.deep.equal([]);
    expect(new Set(figures.map(({ what }) => what))).to.have.property('size', figures.length);
  });

  it('has the new figure where something was measured again, and no line for what it does not tell', () => {
    const [first, ...others] = readFigures(page);
    const measured: Figure[] = [
      { what: first?.what ?? '', measured: '3 s', aim: '', date: '2027-01-02' },
      { what: 'what nobody asks', measured: '0.3 s', aim: '', date: '2027-01-02' },
    ];

    const written = writeFigures(page, measured);

    expect(readFigures(written)).to.deep.equal([measured[0], ...others]);
    expect(written.split('\n')).to.have.lengthOf(page.split('\n').length);
  });
});
