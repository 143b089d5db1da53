import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../src/dictionary/data-dictionary.js';
import { isRealDate } from '../../../src/dictionary/text-validations.js';
import { someField } from '../../support/some-field.js';

const FIELDS = [
  { type: 'radio', choicesOrCalculations: '1, A | -99, B | Aa, C | ü, D' },
  { type: 'yesno' },
  { type: 'checkbox', choicesOrCalculations: '1, A' },
  { type: 'slider' },
  { type: 'slider', validationMin: '-5', validationMax: '[height]' },
  { validationType: 'integer' },
  { validationType: 'integer', validationMin: '18', validationMax: '99.5' },
  { validationType: 'integer', validationMin: '[age]' },
  { validationType: 'number' },
  { validationType: 'number', validationMin: '-1.5', validationMax: '3' },
  { validationType: 'date_dmy' },
  { validationType: 'date_ymd', validationMin: '2026-01-01' },
  { validationType: 'email' },
  { validationType: 'time' },
  {},
];

const VALUE = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.integer({ min: -120, max: 120 }).map(String),
  fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc
    .tuple(fc.integer({ min: 0, max: 2100 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
    .map(([year, ...rest]) => [String(year).padStart(4, '0'), ...rest.map((part) => String(part).padStart(2, '0'))].join('-')),
  fc.constantFrom('1', '-99', 'Aa', 'ü', '-', '.', '-.', '1.', '+1', '00', '1e3', '2024-02-29', '2026-02-29', '99999999999999999999'),
); // prettier-ignore

describe('compileByteRule', () => {
  for (const definition of FIELDS) {
    it(`accepts nothing that the rule for text refuses, for ${JSON.stringify(definition)}`, () => {
      const dictionary = new DataDictionary([someField('f', definition)]);
      const names = dictionary.exportColumns().map(({ name }) => name);

      fc.assert(
        fc.property(VALUE, fc.constantFrom(...names), (value, name) => {
          const bytes = Buffer.from(`"${value}"`);
          if (!dictionary.byteRule(name)(bytes, 1, bytes.length - 1)) return;
          expect(dictionary.validateValue(name, value)).to.equal(undefined);
          expect(dictionary.validateRange(name, value)).to.equal(undefined);
        }),
        { numRuns: 500 },
      );
    });
  }

  it('accepts ordinary values of each kind, so that they are not decoded to text', () => {
    const accepted = [
      [{ type: 'radio', choicesOrCalculations: '1, A | 22, B' }, '22'],
      [{ type: 'slider' }, '50'],
      [{ validationType: 'integer', validationMin: '18' }, '42'],
      [{ validationType: 'number' }, '-70.25'],
      [{ validationType: 'date_mdy' }, '2024-02-29'],
      [{ type: 'notes' }, 'anything'],
    ] as const;
    for (const [definition, value] of accepted) {
      const rule = new DataDictionary([someField('f', definition)]).byteRule('f');
      expect(rule(Buffer.from(value), 0, value.length), value).to.equal(true);
    }
  });
});

describe('isRealDate', () => {
  it('agrees with the calendar of JavaScript', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 31 }),
        (year, month, day) => {
          const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          expect(isRealDate(text)).to.equal(new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
