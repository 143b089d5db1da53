import { expect } from 'chai';
import { ENGLISH, GERMAN } from '../../../../src/pages/texts/in-language.js';

describe('The numbers and days of a language', () => {
  for (const [value, english, german] of [
    [12500, '12,500', '12.500'],
    [1985, '1985', '1985'],
    [-3.14159, '-3.142', '-3,142'],
    [0.0015, '0.0015', '0,0015'],
    [-0, '0', '0'],
    [-0.0000001, '-1e-7', '-1e-7'],
    [2.5e-9, '2.5e-9', '2,5e-9'],
    [1e20, '1e20', '1e20'],
  ] as const) {
    it(`say ${english} and ${german}, which is neither rounded to zero nor endless`, () => {
      expect(ENGLISH.number(value)).to.equal(english);
      expect(GERMAN.number(value)).to.equal(german);
    });
  }

  it('keep the sign of a percentage on the line of its number', () => {
    expect(ENGLISH.percent(78.7)).to.equal('78.7\u00a0%');
    expect(GERMAN.percent(78.7)).to.equal('78,7\u00a0%');
  });

  it('keep what is no day, such as a date of long ago that somebody mistyped', () => {
    expect(GERMAN.date('2026-11-20')).to.equal('20.11.2026');
    expect(ENGLISH.date('2026-11-20')).to.equal('20 Nov 2026');
    expect(ENGLISH.date('20.11.2026')).to.equal('20.11.2026');
  });
});

describe('The times of a language', () => {
  const ENGLISH_IN_PARIS = ENGLISH.timesIn('Europe/Paris');
  const GERMAN_IN_PARIS = GERMAN.timesIn('Europe/Paris');

  for (const [instant, english, german] of [
    ['2026-11-20T21:00:00.000Z', '20 Nov 2026, 22:00 CET', '20.11.2026, 22:00 MEZ'],
    ['2026-11-20T23:30:00Z', '21 Nov 2026, 00:30 CET', '21.11.2026, 00:30 MEZ'],
    ['2026-07-01T23:30:00+02:00', '1 Jul 2026, 23:30 CEST', '01.07.2026, 23:30 MESZ'],
    // The clock leaves out the hour from 2 to 3 on 29 March, and has it twice on 25 October.
    ['2026-03-29T00:59:00Z', '29 Mar 2026, 01:59 CET', '29.03.2026, 01:59 MEZ'],
    ['2026-03-29T01:00:00Z', '29 Mar 2026, 03:00 CEST', '29.03.2026, 03:00 MESZ'],
    ['2026-10-25T00:30:00Z', '25 Oct 2026, 02:30 CEST', '25.10.2026, 02:30 MESZ'],
    ['2026-10-25T01:30:00Z', '25 Oct 2026, 02:30 CET', '25.10.2026, 02:30 MEZ'],
  ] as const)
    it(`LANG-04: say ${english} and ${german} in Paris for ${instant}`, () => {
      expect(ENGLISH_IN_PARIS.moment(instant)).to.equal(english);
      expect(GERMAN_IN_PARIS.moment(instant)).to.equal(german);
      expect(ENGLISH_IN_PARIS.time(instant)).to.equal(english.split(', ')[1]);
      expect(GERMAN_IN_PARIS.time(instant)).to.equal(german.split(', ')[1]);
    });

  it('LANG-04: are in UTC where no zone is given, and say so', () => {
    expect(ENGLISH.moment('2026-07-01T23:30:00+02:00')).to.equal('1 Jul 2026, 21:30 UTC');
    expect(GERMAN.time('2026-07-01T21:30:00Z')).to.equal('21:30 UTC');
  });

  it('LANG-04: keep one that has no offset, and claim no zone for it', () => {
    expect(ENGLISH_IN_PARIS.moment('2026-03-29T02:30:00')).to.equal('29 Mar 2026, 02:30');
    expect(GERMAN.moment('2026-03-29T02:30:00')).to.equal('29.03.2026, 02:30');
  });

  it('keep what is no time', () => {
    expect(ENGLISH_IN_PARIS.moment('some time ago')).to.equal('some time ago');
  });
});
