import { expect } from 'chai';
import { NotShown } from '../../../../src/pages/dashboard/dashboard-parts.js';
import type { StudySummary } from '../../../../src/services/summary/study-summary.js';
import { LANGUAGES } from '../../../../src/pages/texts/texts.js';

describe('What the dashboard does not show', () => {
  for (const [isChosen, reason] of [
    [false, 'the first instrument has no date field'],
    [true, 'STUDY_DATE_FIELD names a field that the project does not have'],
  ] as const) {
    it(`explains missing recruitment: ${reason}`, () => {
      const shown = NotShown({
        t: LANGUAGES.en,
        summary: summaryWith(isChosen),
        activity: undefined,
        mayReadRecords: true,
      });
      // eslint-disable-next-line @typescript-eslint/no-base-to-string -- an element of Hono converts to its own markup
      const text = String(shown);

      expect(text).to.include(`Recruitment: ${reason}`);
    });
  }
});

function summaryWith(isChosen: boolean): StudySummary {
  const dates = { dateField: null, dateLabel: '', isChosen, undated: 3, months: [], weeks: [] };
  const figures = { records: 3, fields: 5, instruments: 1, missingPercent: null };
  return {
    ...{
      madeAt: '2026-11-20T20:00:00.000Z',
      smallCell: 0,
      title: 'Study',
      isLongitudinal: false,
      ...figures,
    },
    recruitment: { ...dates, plannedStart: null, plannedEnd: null, target: null },
    ...{ dags: [], completeness: [], missing: [] },
  };
}
