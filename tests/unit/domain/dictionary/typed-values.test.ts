import { expect } from 'chai';
import fc from 'fast-check';
import { fromNumber, toNumber, type NumberForm } from '../../../../src/domain/dictionary/typed-values.js';
import { cpuMsOf } from '../../../support/cpu-ms-of.js';

const PLAIN: NumberForm = { places: undefined, separator: '.' };

/** Returns the value of a decimal text as a whole number times a power of ten, without rounding. */
function exactly(text: string): readonly [digits: bigint, power: number] {
  const [mantissa = '', power = '0'] = text.replace(',', '.').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return [BigInt(`${whole}${fraction}`.replace('+', '')), Number(power) - fraction.length];
}

function haveOneValue(one: string, other: string): boolean {
  const [[oneDigits, onePower], [otherDigits, otherPower]] = [exactly(one), exactly(other)];
  const least = Math.min(onePower, otherPower);
  return oneDigits * 10n ** BigInt(onePower - least) === otherDigits * 10n ** BigInt(otherPower - least);
}

describe('toNumber', () => {
  for (const [text, value] of [
    ['9007199254740992', 9007199254740992],
    ['9007199254740993', undefined],
    ['0.12345678901234567', undefined],
    ['1e3', 1000],
    ['1.50E-2', 0.015],
    ['1.0000000000000000001e5', undefined],
    ['1e-400', undefined],
    ['1e400', undefined],
    ['0e5', 0],
    ['000000000000000000001.50', 1.5],
  ] as const) {
    it(`converts ${text} to ${value ?? 'nothing'}`, () => {
      expect(toNumber(text, 'number', PLAIN)).to.equal(value);
    });
  }

  it('takes time linear in the number of zeros', () => {
    const text = `1.${'0'.repeat(60_000)}1`;
    expect(cpuMsOf(() => toNumber(text, 'number', PLAIN))).to.be.below(1_500);
  });

  it('converts no decimal-comma number that could only be written back with an exponent', () => {
    const comma: NumberForm = { places: undefined, separator: ',' };
    expect(toNumber('0,001', 'number', comma)).to.equal(0.001);
    expect(toNumber('0,0000001', 'number', comma)).to.equal(undefined);
  });

  it('converts no integer that could not be written back', () => {
    expect(toNumber('9007199254740991', 'integer', PLAIN)).to.equal(Number.MAX_SAFE_INTEGER);
    expect(toNumber('90071992547409920', 'integer', PLAIN)).to.equal(undefined);
  });

  it('converts a number only if writing it back yields the same value, in every form', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0159'), minLength: 1, maxLength: 20 });
    const exponent = fc.option(fc.integer({ min: -330, max: 330 }), { freq: 2, nil: undefined });
    const places = fc.constantFrom(undefined, 1, 2, 4);
    fc.assert(
      fc.property(
        fc.constantFrom('', '-', '+'),
        digits,
        fc.option(digits, { nil: undefined }),
        exponent,
        fc.record({ places, separator: fc.constantFrom('.', ',') }),
        fc.constantFrom('integer', 'number'),
        (sign, whole, fraction, power, form, kind) => {
          const decimals = fraction === undefined ? '' : `${form.separator}${fraction}`;
          const text = `${sign}${whole}${decimals}${power === undefined ? '' : `e${power}`}`;

          const value = toNumber(text, kind, form);

          if (value === undefined) return;
          const written = fromNumber(value, kind, form) ?? 'nothing';
          expect(haveOneValue(written, text), `${text} as ${written}`).to.equal(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
