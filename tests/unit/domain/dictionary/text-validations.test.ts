import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import { TEXT_VALIDATIONS, isDay } from '../../../../src/domain/dictionary/text-validations.js';
import { someField } from '../../../support/some-field.js';

const validated = (validationType: string): DataDictionary =>
  new DataDictionary([someField('f', { validationType })]);

/** For each validation: values it accepts, values it refuses, and the message of the refusal. */
const VALIDATIONS: readonly [string, readonly string[], readonly string[], string][] = [
  ['integer', ['0', '12', '-3', '+7', '007'], ['1.0', '1e3', 'x', '1 ', ' 1', '', '١'].filter(Boolean), 'must be a whole number'],
  ['number', ['0', '-3.5', '.34', '+2', '3.14e-2', '1.'], ['1,5', '.', '-', '1e', 'NaN', '0x10', '1 2'], 'must be a number'],
  ['number_comma_decimal', ['0', '-3,5', ',34'], ['1.5', ',', '1,2,3'], 'must be a number with a decimal comma'],
  ['number_1dp', ['22.0', '-0.5'], ['22', '22.00', '22,0'], 'must be a number with 1 decimal after a point'],
  ['number_2dp', ['22.00'], ['22.0', '22'], 'must be a number with 2 decimals after a point'],
  ['number_4dp', ['1.0000'], ['1.000'], 'must be a number with 4 decimals after a point'],
  ['number_1dp_comma_decimal', ['22,0'], ['22.0', '22'], 'must be a number with 1 decimal after a comma'],
  ['number_3dp_comma_decimal', ['22,000'], ['22.000'], 'must be a number with 3 decimals after a comma'],
  ['date_ymd', ['2026-02-28', '2024-02-29'], ['2026-02-29', '2026-13-01', '2026-1-1', '28-02-2026', '2026-02-28 10:00'], 'must be a date, as YYYY-MM-DD'],
  ['date_mdy', ['2026-12-31'], ['12-31-2026', '12/31/2026'], 'must be a date, as YYYY-MM-DD'],
  ['date_dmy', ['2026-12-31'], ['31-12-2026'], 'must be a date, as YYYY-MM-DD'],
  ['datetime_dmy', ['2026-12-31 23:59'], ['2026-12-31', '2026-12-31 24:00', '2026-02-30 10:00', '2026-12-31T10:00'], 'must be a date and time, as YYYY-MM-DD HH:MM'],
  ['datetime_seconds_mdy', ['2026-12-31 23:59:59'], ['2026-12-31 23:59', '2026-12-31 23:59:60'], 'must be a date and time, as YYYY-MM-DD HH:MM:SS'],
  ['time', ['00:00', '23:59'], ['24:00', '9:00', '10:60', '10:00:00'], 'must be a time, as HH:MM'],
  ['time_hh_mm_ss', ['23:59:59'], ['23:59'], 'must be a time, as HH:MM:SS'],
  ['time_mm_ss', ['59:59'], ['60:00', '1:00'], 'must be a time, as MM:SS'],
  ['email', ['ada@example.org', 'a.b+c@sub.example.org'], ['ada', 'ada@example', 'a@b@example.org', 'ada @example.org', '@example.org', 'ada@.org'], 'must be an email address'],
  ['phone', ['(987) 654-3210', '987-654-3210', '9876543210', '987.654.3210', '987 654 3210 x12'], ['(187) 654-3210', '987-154-3210', '654-3210', '+33 1 23 45 67 89'], 'must be a North American phone number'],
  ['phone_australia', ['0412 345 678', '(02) 1234 5678', '0212345678'], ['12345678', '(09) 1234 5678'], 'must be an Australian phone number'],
  ['postalcode_australia', ['3000'], ['30000', '300'], 'must be an Australian postal code'],
  ['postalcode_canada', ['K1A 0B1', 'k1a0b1'], ['K1A 0BB', '12345'], 'must be a Canadian postal code'],
  ['postalcode_french', ['76600'], ['7660'], 'must be a French postal code'],
  ['postalcode_germany', ['01067'], ['1067'], 'must be a German postal code'],
  ['zipcode', ['01234', '01234-5678'], ['1234', '01234-567'], 'must be a ZIP code'],
  ['ssn', ['123-45-6789'], ['123456789'], 'must be a social security number'],
  ['alpha_only', ['Abc'], ['Ab1', 'A b', 'Zoë'], 'must contain only letters'],
]; // prettier-ignore

describe('TEXT_VALIDATIONS', () => {
  for (const [validationType, accepted, refused, rule] of VALIDATIONS) {
    const dictionary = validated(validationType);
    for (const value of accepted) {
      it(`accepts ${value} as ${validationType}`, () => {
        expect(dictionary.validateValue('f', value)).to.be.undefined;
      });
    }
    for (const value of refused) {
      it(`refuses ${JSON.stringify(value)} as ${validationType}: ${rule}`, () => {
        expect(dictionary.validateValue('f', value)).to.equal(rule);
      });
    }
  }

  it('contains every validation that REDCap ships', () => {
    const tested = new Set(VALIDATIONS.map(([name]) => name));
    const siblings = ['date', 'datetime', 'datetime_seconds'].flatMap((kind) =>
      ['ymd', 'mdy', 'dmy'].map((order) => `${kind}_${order}`),
    );
    const decimals = [1, 2, 3, 4].flatMap((n) => [`number_${n}dp`, `number_${n}dp_comma_decimal`]);

    expect([...TEXT_VALIDATIONS.keys()]).to.have.members([...new Set([...tested, ...siblings, ...decimals])]);
  });

  for (const validationType of [
    '',
    'mrn_8d',
    'mrn_generic',
    'vmrn',
    'made_here',
    'constructor',
    'toString',
  ]) {
    it(`accepts anything if the validation is ${validationType || 'blank'}`, () => {
      expect(validated(validationType).validateValue('f', 'any thing\n"at" all')).to.be.undefined;
    });
  }

  it('accepts exactly the days of the calendar, in any date format', () => {
    const twoDigits = (value: number): string => String(value).padStart(2, '0');
    const day = fc.record({
      year: fc.integer({ min: 1000, max: 9999 }),
      month: fc.integer({ min: 0, max: 13 }),
      day: fc.oneof(fc.integer({ min: 28, max: 31 }), fc.integer({ min: 0, max: 32 })),
    });
    const kinds = [validated('date_dmy'), validated('datetime_ymd'), validated('datetime_seconds_mdy')];
    const times = ['', ' 23:59', ' 23:59:59'];
    fc.assert(
      fc.property(day, ({ year, month, day }) => {
        const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`;
        const exists = day >= 1 && day <= daysIn(year, month);

        for (const [index, dictionary] of kinds.entries()) {
          expect(dictionary.validateValue('f', date + times[index]) === undefined).to.equal(exists);
        }
      }),
    );
  });

  it('accepts every number as JavaScript writes it, and the exact number of decimals if it is fixed', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e20, max: 1e20, noNaN: true }),
        fc.integer({ min: 1, max: 4 }),
        (value, places) => {
          const text = value.toFixed(places);

          expect(validated('number').validateValue('f', String(value))).to.be.undefined;
          expect(validated(`number_${places}dp`).validateValue('f', text)).to.be.undefined;
          expect(validated(`number_${places}dp`).validateValue('f', `${text}0`)).to.be.a('string');
          expect(validated(`number_${places}dp_comma_decimal`).validateValue('f', text.replace('.', ','))).to
            .be.undefined;
        },
      ),
    );
  });

  // A pattern that rescans such a value from every position takes some 45 billion steps, and never ends within the limit
  // of a test; one that does not takes none of it. Nothing is measured, so that a busy machine fails nothing.
  describe('judges a hostile value of 300,000 characters in as many steps', () => {
    const LENGTH = 300_000;
    const PUMPS = ['1', '1.', '1,', '1-', '1e', 'a', 'a.', 'a@', '(2', ' 1', '-', ' '];
    const VALUES = PUMPS.map((pump) => pump.repeat(LENGTH / pump.length)).flatMap((text) =>
      ['', '0', 'a@'].flatMap((start) => ['', ' ', '@'].map((end) => start + text + end)),
    );

    for (const validationType of TEXT_VALIDATIONS.keys())
      it(`as ${validationType}`, () => {
        const dictionary = validated(validationType);

        const accepted = VALUES.filter((value) => dictionary.validateValue('f', value) === undefined);

        expect(accepted.filter((value) => value.endsWith(' ')).length).to.equal(0);
      });
  });
});

/** Returns the number of days in a month, or 0 if there is no such month. */
function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

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
