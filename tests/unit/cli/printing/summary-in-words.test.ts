import { expect } from 'chai';
import stringWidth from 'fast-string-width';
import { summaryInWords } from '../../../../src/cli/printing/summary-in-words.js';
import type { CompletenessCell, StudySummary } from '../../../../src/services/summary/study-summary.js';
import { CELL } from '../../../support/some-cell.js';

function summaryOf(cell: CompletenessCell): StudySummary {
  return {
    ...{ madeAt: '2026-11-22T08:00:00Z', smallCell: 10, title: 'Test', isLongitudinal: false, records: 30 },
    ...{ fields: 3, instruments: 1, dags: [], missing: [], missingPercent: 0, completeness: [cell] },
    recruitment: {
      ...{ dateField: null, dateLabel: '', isChosen: false, undated: 0, target: null },
      ...{ plannedStart: null, plannedEnd: null, months: [], weeks: [] },
    },
  };
}

/** Returns the line of the instrument in the text of a summary. */
function lineOf(cell: CompletenessCell, width?: number): string | undefined {
  return summaryInWords(summaryOf(cell), width)
    .split('\n')
    .find((line) => line.startsWith('  Visit'));
}

describe('The complete forms in the text of a summary', () => {
  it('are shown as a share of all forms, even if small counts are withheld', () => {
    expect(lineOf(CELL)).to.match(/█{20}░{10} 20 of 30$/);
    expect(lineOf({ ...CELL, incomplete: null, notBegun: null })).to.match(/█{20}░{10} 20 of 30$/);
  });

  it('read “few” and have no bar if their count or the total is withheld', () => {
    for (const cell of [
      { ...CELL, complete: null, incomplete: null },
      { ...CELL, isRepeating: true, isExpected: false, incomplete: null },
    ])
      expect(lineOf(cell)).to.match(/ ░{30} few$/);
  });

  it('read “0 of 0” in a study without records', () => {
    expect(lineOf({ ...CELL, ...{ records: 0, complete: 0, incomplete: 0, notBegun: 0 } })).to.match(
      /░{30} 0 of 0$/,
    );
  });
});

describe('The text of a summary on a terminal', () => {
  const cell = { ...CELL, instrumentLabel: 'Visit with an unusually long name 来訪' };

  it('is never wider than the terminal', () => {
    for (let width = 1; width <= 120; width++) {
      const lines = summaryInWords(summaryOf(cell), width).split('\n');

      expect(Math.max(...lines.map((line) => stringWidth(line)))).to.be.at.most(width);
    }
  });

  it('shortens names and bars, and keeps the figures', () => {
    expect(lineOf(cell)).to.match(/^ {2}Visit with an unusually long na… █{20}░{10} 20 of 30$/);
    expect(lineOf(cell, 40)).to.match(/^ {2}Visit with an… █{9}░{5} 20 of 30$/);
    expect(lineOf(cell, 20)).to.equal('  Visit wi… 20 of 30');
  });
});
