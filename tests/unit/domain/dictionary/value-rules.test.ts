import { expect } from 'chai';
import fc from 'fast-check';
import { DataDictionary } from '../../../../src/domain/dictionary/data-dictionary.js';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import { TEXT_VALIDATIONS } from '../../../../src/domain/dictionary/text-validations.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';
import { FIELD_TYPES, someField } from '../../../support/some-field.js';

const of = (overrides: Partial<Field>): DataDictionary => new DataDictionary([someField('f', overrides)]);

describe('DataDictionary.validateValue', () => {
  const coded: readonly [string, Partial<Field>, readonly string[], readonly string[]][] = [
    ['radio', { choicesOrCalculations: '1, A | -99, B | Aa, C' }, ['1', '-99', 'Aa'], ['2', 'A', 'aa', '01']],
    ['dropdown', { choicesOrCalculations: '1, A' }, ['1'], ['A', 'constructor']],
    ['yesno', {}, ['0', '1'], ['Yes', '2']],
    ['truefalse', {}, ['0', '1'], ['true', '-1']],
  ];
  for (const [type, definition, accepted, refused] of coded) {
    it(`accepts the codes of a ${type} field, but not the labels`, () => {
      const dictionary = of({ type, ...definition });

      expect(accepted.map((value) => dictionary.validateValue('f', value))).to.deep.equal(
        accepted.map(() => undefined),
      );
      for (const value of refused)
        expect(dictionary.validateValue('f', value)).to.match(/^must be one of .+/);
    });
  }

  it('lists the codes with their labels as plain text, and only the first of many', () => {
    const many = Array.from({ length: 12 }, (_, at) => `${at}, <b>Label</b> ${at}`).join(' | ');
    const rule = (choicesOrCalculations: string): string | undefined =>
      of({ type: 'radio', choicesOrCalculations }).validateValue('f', 'x');

    expect(rule('1, Female | 2, Male')).to.equal('must be one of 1 (Female), 2 (Male)');
    expect(rule(many)).to.match(/^must be one of 0 \(Label 0\), .* 7 \(Label 7\) and 4 more codes$/);
  });

  it('suggests the code of a choice whose label was given', () => {
    const dictionary = of({ type: 'dropdown', choicesOrCalculations: '1, Female | 2, Male' });

    expect(dictionary.suggestChoice('f', 'female ')).to.deep.equal({ code: '1', label: 'Female' });
    expect(dictionary.suggestChoice('f', 'Fem')).to.be.undefined;
    expect(dictionary.suggestChoice('base_complete', 'Complete')).to.include({ code: '2' });
  });

  it('looks at a long list of choices once, however many values are wrong', () => {
    const codes = Array.from({ length: 50_000 }, (_, at) => `${at}, Diagnosis ${at}`).join(' | ');
    const dictionary = of({ type: 'dropdown', choicesOrCalculations: codes });

    expect(dictionary.suggestChoice('f', ' diagnosis 49999 ')?.code).to.equal('49999');
    expect(dictionary.suggestChoice('f', '00123.0')?.code).to.equal('123');
    expect(
      cpuMsOf(() => Array.from({ length: 2000 }, (_, at) => dictionary.suggestChoice('f', `none${at}`))),
    ).to.be.below(2000);
  });

  it('accepts only 0 and 1 in the column of a checkbox choice', () => {
    const dictionary = of({ type: 'checkbox', choicesOrCalculations: '7, A' });

    expect(dictionary.validateValue('f___7', '1')).to.be.undefined;
    expect(dictionary.validateValue('f___7', '0')).to.be.undefined;
    expect(dictionary.validateValue('f___7', '7')).to.equal('must be 0 or 1');
  });

  it('accepts only 0, 1 and 2 as a form status', () => {
    const results = ['0', '1', '2', '3', 'Complete'].map((value) =>
      of({}).validateValue('base_complete', value),
    );

    expect(results).to.deep.equal([
      undefined,
      undefined,
      undefined,
      'must be one of 0 (Incomplete), 1 (Unverified), 2 (Complete)',
      'must be one of 0 (Incomplete), 1 (Unverified), 2 (Complete)',
    ]);
  });

  it('accepts only whole numbers in a slider', () => {
    expect(of({ type: 'slider' }).validateValue('f', '50')).to.be.undefined;
    expect(of({ type: 'slider' }).validateValue('f', '50.5')).to.equal('must be a whole number');
  });

  for (const type of ['notes', 'calc', 'file', 'sql', 'a_type_of_tomorrow']) {
    it(`accepts anything in a ${type} field, even if it has a validation`, () => {
      expect(of({ type, validationType: 'integer' }).validateValue('f', 'any\nthing')).to.be.undefined;
    });
  }

  for (const type of FIELD_TYPES) {
    it(`accepts a blank in a ${type} field`, () => {
      const dictionary = of({
        type,
        validationType: 'integer',
        validationMin: '5',
        validationMax: '9',
        choicesOrCalculations: '1, A',
      });

      for (const column of ['f', 'f___1', 'base_complete']) {
        expect(dictionary.validateValue(column, '')).to.be.undefined;
        expect(dictionary.validateRange(column, '')).to.be.undefined;
      }
    });
  }

  it('accepts anything in an unknown column', () => {
    expect(of({}).validateValue('unknown', 'x')).to.be.undefined;
    expect(of({}).validateRange('unknown', 'x')).to.be.undefined;
  });

  it('never throws, and never repeats the value', () => {
    const definition = fc.record({
      type: fc.oneof(fc.constantFrom(...FIELD_TYPES), fc.string()),
      validationType: fc.oneof(fc.constantFrom(...TEXT_VALIDATIONS.keys()), fc.string()),
      validationMin: fc.string(),
      validationMax: fc.string(),
      choicesOrCalculations: fc.string(),
    });
    const value = fc.string({ unit: 'grapheme', minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(definition, value, (overrides, text) => {
        const dictionary = of(overrides);
        const rules = [dictionary.validateValue('f', text), dictionary.validateRange('f', text)];

        for (const rule of rules) expect(rule ?? '').to.not.include(text);
      }),
    );
  });
});

describe('DataDictionary.validateRange', () => {
  const below = 'outside';
  const above = 'outside';
  const range = (overrides: Partial<Field>, value: string): string | undefined =>
    of(overrides)
      .validateRange('f', value)
      ?.replace(/^must be (?:from .+ to|at least|at most) .+$/, 'outside');

  it('shows the limits as the designer wrote them', () => {
    const rule = (validationMin: string, validationMax: string): string | undefined =>
      of({ validationType: 'integer', validationMin, validationMax }).validateRange('f', '5');

    expect(rule('18', '99')).to.equal('must be from 18 to 99');
    expect(rule('18', '')).to.equal('must be at least 18');
    expect(rule('', '4')).to.equal('must be at most 4');
    expect(rule('[age]', '4')).to.equal('must be at most 4');
  });

  const cases: readonly [string, string, string, readonly [string, string | undefined][]][] = [
    ['integer', '0', '120', [['0', undefined], ['120', undefined], ['-1', below], ['121', above], ['9', undefined]]],
    ['number', '0.5', '', [['.49', below], ['.5', undefined], ['1e9', undefined]]],
    ['number', '', '-2', [['-2.0', undefined], ['-1.9', above]]],
    ['number_1dp_comma_decimal', '1,5', '2,5', [['1,4', below], ['2,5', undefined], ['2,6', above]]],
    ['date_mdy', '2026-01-01', '2026-12-31', [['2025-12-31', below], ['2026-06-30', undefined], ['2027-01-01', above]]],
    ['date_mdy', '01/31/2026', '12-31-2026', [['2026-01-30', below], ['2026-01-31', undefined], ['2027-01-01', above]]],
    ['datetime_dmy', '31/1/2026 08:00', '', [['2026-01-31 07:59', below], ['2026-01-31 08:00', undefined]]],
    ['datetime_ymd', '2026-01-01 08:00', '', [['2026-01-01 07:59', below], ['2026-01-01 08:00', undefined]]],
    ['time', '08:00', '17:30', [['07:59', below], ['17:31', above]]],
    ['number_1dp', '0', '.5', [['-0.1', below], ['0.6', above]]],
    ['number_1dp_comma_decimal', '0', '1.5', [['-0,1', below], ['1,6', above]]],
  ]; // prettier-ignore
  for (const [validationType, validationMin, validationMax, values] of cases) {
    for (const [value, expected] of values) {
      it(`returns ${expected ?? 'nothing'} for ${value} between ${validationMin || '…'} and ${validationMax || '…'} (${validationType})`, () => {
        expect(range({ validationType, validationMin, validationMax }, value)).to.equal(expected);
      });
    }
  }

  for (const [validationType, limit] of [
    ['date_ymd', 'today'],
    ['datetime_ymd', 'now'],
    ['date_ymd', '[consent_date]'],
    ['date_ymd', '01/31/2026'],
    ['date_mdy', '31/01/2026'],
    ['datetime_ymd', '2026-01-31'],
    ['time', '8:00'],
    ['integer', '[age]'],
    ['integer', 'ten'],
    ['integer', '0x1'],
    ['integer', '+Infinity'],
    ['integer', '1,000'],
  ] as const) {
    it(`leaves the limit ${limit} of ${validationType} for REDCap to check`, () => {
      const dictionary = of({ validationType, validationMin: limit, validationMax: limit });

      expect(dictionary.validateRange('f', '2026-06-30')).to.be.undefined;
      expect(dictionary.validateRange('f', '5')).to.be.undefined;
    });
  }

  it('limits a slider to 0 to 100 if the design sets no limits', () => {
    expect(['-1', '0', '100', '101'].map((value) => range({ type: 'slider' }, value))).to.deep.equal([
      below,
      undefined,
      undefined,
      above,
    ]);
  });

  it('limits a slider to the limits that the design sets', () => {
    const slider = { type: 'slider', validationMin: '10', validationMax: '200' };

    expect(['9', '150', '201'].map((value) => range(slider, value))).to.deep.equal([below, undefined, above]);
  });

  it('leaves a slider limit that it cannot read for REDCap to check', () => {
    const slider = { type: 'slider', validationMax: '[height]' };

    expect(['-1', '101'].map((value) => range(slider, value))).to.deep.equal([below, undefined]);
  });

  it('checks no limits for emails, choices and unvalidated text', () => {
    expect(range({ validationType: 'email', validationMin: 'z' }, 'a@example.org')).to.be.undefined;
    expect(range({ type: 'radio', choicesOrCalculations: '1, A', validationMin: '5' }, '1')).to.be.undefined;
    expect(range({ validationMin: '5' }, '1')).to.be.undefined;
  });

  it('agrees with the numeric order of integers', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (least, greatest, value) => {
        const found = range(
          { validationType: 'integer', validationMin: String(least), validationMax: String(greatest) },
          String(value),
        );

        expect(found).to.equal(value < least ? below : value > greatest ? above : undefined);
      }),
    );
  });
});
