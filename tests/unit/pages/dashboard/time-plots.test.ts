import { expect } from 'chai';
import { recruitmentPlot } from '../../../../src/pages/dashboard/time-plots.js';
import { recruitmentBy, WEEKS } from '../../../../src/services/summary/recruitment.js';
import { LANGUAGES } from '../../../../src/pages/texts/texts.js';

describe('The plot of recruitment', () => {
  it('draws only the weeks with records, even if a mistyped date stretches it over a century', () => {
    const byDay = new Map([
      ['1930-01-01', 1],
      ['2026-10-01', 400],
    ]);
    const weeks = recruitmentBy(WEEKS, byDay, {}, '2026-11-20');
    const plan = { plannedStart: null, plannedEnd: null, target: null };
    const dates = { dateField: 'consented', dateLabel: 'Consent', isChosen: false, undated: 0 };

    const plot = recruitmentPlot(LANGUAGES.en, { ...plan, ...dates, months: weeks, weeks }, 'week');

    expect(weeks).to.have.length.above(5_000);
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono converts to its own markup
    expect([...String(plot?.drawing).matchAll(/class="plot-4"/g)]).to.have.length(2);
  });
});
