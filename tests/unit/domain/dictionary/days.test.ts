import { expect } from 'chai';
import fc from 'fast-check';
import { isDay } from '../../../../src/domain/dictionary/days.js';

describe('isDay', () => {
  it('accepts every day of the calendar', () => {
    const days = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(fc.property(days, (day) => isDay(day.toISOString().slice(0, 10))));
  });

  for (const text of ['2026-02-29', '2100-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00'])
    it(`refuses ${text}, which does not exist`, () => {
      expect(isDay(text)).to.equal(false);
    });

  for (const text of ['', '2026-1-5', '05-01-2026', '2026-01-05 10:00', '2026-01-05\n', '+02026-01-05'])
    it(`refuses ${JSON.stringify(text)}, which is no day`, () => {
      expect(isDay(text)).to.equal(false);
    });
});
