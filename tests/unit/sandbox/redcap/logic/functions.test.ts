import { expect } from 'chai';
import { FUNCTIONS } from '../../../../../src/domain/logic/functions.js';
import { isTrue, refusalOf, rowOf, valueOf } from './evaluate.js';

const NUMBERS = [
  ['round(2.5)', 3],
  ['round(-2.5)', -3],
  ['round(1234567890123456)', 1_234_567_890_123_456],
  ["length('😀é')", 2],
  ["left('😀é', 1)", '😀'],
  ["right('é😀', 1)", '😀'],
  ["mid('😀é', 2, 1)", 'é'],
  ["find('é', '😀é')", 2],
  ['round(1.005, 2)', 1.01],
  ["round(1234.5, '-2')", 1200],
  ["round(1.5, '')", 2],
  ['round([blank])', ''],
  ['roundup(2.1)', 3],
  ['roundup(-2.1)', -3],
  ['roundup(2.11, 1)', 2.2],
  ['rounddown(2.9)', 2],
  ['rounddown(-2.9)', -2],
  ['rounddown(2.99, 1)', 2.9],
  ['sqrt(16)', 4],
  ['sqrt(-1)', ''],
  ['abs(-3)', 3],
  ['exponential(0)', 1],
  ['log(1)', 0],
  ['round(log(8, 2))', 3],
  ['round(log(100, 10))', 2],
  ['log(0)', ''],
  ['mod(7, 3)', 1],
  ['mod(7, 0)', ''],
  ['min(3, [blank], 1)', 1],
  ["max(3, '10', [blank])", 10],
  ['mean(1, [blank], 3)', 2],
  ['median(5, 1, 3)', 3],
  ['median(4, 1, 3, 2)', 2.5],
  ['sum(1, [blank], 2)', 3],
  ['sum([blank])', ''],
  ['stdev(2, 4, 4, 4, 5, 5, 7, 9) ^ 2 * 7', 32],
  ['stdev(1)', ''],
  ["sum('x', 1)", ''],
  ["sum('1,5', '.5', '01')", 3],
  ["max('-3', ' 2 ')", 2],
  ["min('a', 1)", ''],
  ["median(1, 'a', 3)", ''],
  ["round('2,5', '0')", 3],
  ['round(-0.4) + 1', 1],
  ["mod('-7', 3)", -1],
  ["log(8, '')", Math.log(8)],
] as const;

const TEXTS = [
  ["left('abc', 2)", 'ab'],
  ["left('abc', -1)", ''],
  ["left('abc', 'x')", ''],
  ["right('abc', 2)", 'bc'],
  ["right('abc', 0)", ''],
  ["mid('abcde', 2, 3)", 'bcd'],
  ["mid('abc', 0, 2)", 'ab'],
  ["mid('abc', 9, 2)", ''],
  ["length('abc')", 3],
  ['length([blank])', 0],
  ["trim('  a b  ')", 'a b'],
  ["upper('Aé')", 'AÉ'],
  ["lower('AÉ')", 'aé'],
  ["replace_text('a.b.c', '.', '-')", 'a-b-c'],
  ["replace_text('abc', 'b', '$&$1')", 'a$&$1c'],
  ["replace_text('abc', '', '-')", 'abc'],
  ["concat('a', [blank], 1)", 'a1'],
  ["concat_ws(', ', 'a', [blank], 'b')", 'a, b'],
  ["find('B', 'abc')", 2],
  ["find('x', 'abc')", 0],
  ["if([age] > 18, 'adult', 'child')", 'adult'],
  ["if([blank], 'yes', 'no')", 'no'],
  ["IF(0, 'yes', 'no')", 'no'],
] as const;

const TRUE = [
  "isnumber('-1.5')",
  'isnumber(1)',
  "isinteger('-12')",
  'isblankormissingcode([blank])',
  'isblanknotmissingcode([blank])',
  "isblankormissingcode('UNK')",
  "ismissingcode('-9')",
  "hasmissingcode('-9', 'UNK, -9')",
  "contains([name], 'DA')",
  "not_contain([name], 'x')",
  "starts_with([name], 'ad')",
  "ends_with([name], 'DA')",
  "contains([name], 'ad') and [age] = '30'",
];

const FALSE = [
  "isnumber('1e3')",
  "isnumber('')",
  "isnumber('one')",
  "isinteger('1.0')",
  "isinteger('')",
  'isblankormissingcode([age])',
  'isblanknotmissingcode([age])',
  'ismissingcode([age])',
  "hasmissingcode([age], 'UNK')",
  "hasmissingcode('-9', 'UNK')",
  "hasmissingcode([age], '30')",
  "isblanknotmissingcode('UNK')",
  "contains([name], 'x')",
  "not_contain([name], 'AD')",
  "starts_with([name], 'da')",
  "ends_with([name], 'ad')",
];

describe('The functions of the logic', () => {
  for (const [source, value] of [...NUMBERS, ...TEXTS]) {
    it(`return ${value === '' ? 'blank' : `\`${value}\``} for ${source}`, () => {
      const result = valueOf(source);
      if (typeof value === 'string') expect(result).to.equal(value);
      else expect(result).to.be.closeTo(value, 1e-9);
    });
  }

  for (const source of TRUE) it(`consider ${source} true`, () => expect(isTrue(source)).to.equal(true));
  for (const source of FALSE) it(`consider ${source} false`, () => expect(isTrue(source)).to.equal(false));

  it('cannot exhaust the memory', () => {
    const grown = (depth: number): string =>
      depth === 0 ? "'aaaaaaaa'" : `replace_text(${grown(depth - 1)}, 'a', 'aaaaaaaa')`;

    expect(valueOf(grown(90))).to.equal('');
  });

  it('join no text longer than a field can hold', () => {
    const names = Array.from({ length: 5000 }, () => '[name]').join(', ');

    for (const [source, name, length] of [
      [`concat(${names})`, 'x'.repeat(13), 65_000],
      [`concat(${names})`, 'x'.repeat(14), 0],
      [`concat_ws('-', ${names})`, 'x'.repeat(12), 64_999],
      [`concat_ws('--', ${names})`, 'x'.repeat(12), 0],
    ] as const) {
      expect(valueOf(`length(${source})`, rowOf({ name }))).to.equal(length);
    }
  });

  it('all refuse one argument fewer than they need', () => {
    for (const [name, { arity }] of FUNCTIONS) {
      const source = `${name}(${Array.from({ length: arity[0] - 1 }, () => '1').join(',')})`;
      expect(refusalOf(source), name).to.include('number of arguments');
    }
  });

  it('all accept blanks without an error', () => {
    for (const [name, { arity }] of FUNCTIONS) {
      const source = `${name}(${Array.from({ length: arity[0] }, () => "''").join(',')})`;
      expect(() => valueOf(source), name).not.to.throw();
    }
  });
});
