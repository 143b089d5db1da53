import { expect } from 'chai';
import { completenessPlot } from '../../../../src/pages/dashboard/completeness-plot.js';
import type { CompletenessCell } from '../../../../src/services/summary/study-summary.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';
import { LANGUAGES } from '../../../../src/pages/texts/texts.js';

describe('The plot of a large design', () => {
  it('draws no tile for a withheld count, since the lightest tile means that no form is complete', () => {
    const cells = grid(5, 6);

    const all = tilesOf(cells);
    const known = tilesOf(cells.map((cell, index) => (index === 0 ? { ...cell, complete: null } : cell)));

    expect(all).to.equal(30);
    expect(known).to.equal(29);
  });

  it('takes time linear in the number of cells', () => {
    const cells = grid(80, 60);

    // Searching all cells for each cell takes five seconds.
    expect(cpuMsOf(() => completenessPlot(LANGUAGES.en, cells))).to.be.below(2_000);
  });
});

function grid(instruments: number, events: number): CompletenessCell[] {
  return Array.from({ length: instruments * events }, (_, index) => {
    const instrument = `form_${index % instruments}`;
    const event = `visit_${Math.floor(index / instruments)}_arm_1`;
    return {
      ...{ event, eventLabel: event, instrument, instrumentLabel: instrument, isRepeating: false },
      ...{ isExpected: true },
      ...{ records: 100, complete: 50, unverified: 20, incomplete: 20, notBegun: 10 },
    };
  });
}

function tilesOf(cells: readonly CompletenessCell[]): number {
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono converts to its own markup
  return [...String(completenessPlot(LANGUAGES.en, cells)?.drawing).matchAll(/class="heat-\d"/g)].length;
}
