import { expect } from 'chai';
import fc from 'fast-check';
import type { Field } from '../../../../src/domain/dictionary/field.js';
import { compileLogic, type LogicScope } from '../../../../src/domain/logic/evaluator.js';
import { parseLogic } from '../../../../src/domain/logic/parser.js';
import { printLogic } from '../../../../src/domain/logic/printer.js';
import type { LogicNode } from '../../../../src/domain/logic/syntax.js';
import { compileLogic as compileInSandbox } from '../../../../src/sandbox/redcap/logic.js';
import { logicText, logicTree } from '../../../support/logic-arbitraries.js';
import { someField } from '../../../support/some-field.js';

const FIELDS: readonly Field[] = [
  someField('a'),
  someField('b'),
  someField('c', { type: 'checkbox', choicesOrCalculations: '1, One | 2, Two' }),
];
const NOW = new Date('2026-03-01T12:34:56Z');

const reference = fc.constantFrom(
  { kind: 'reference' as const, field: 'a' },
  { kind: 'reference' as const, field: 'B' },
  { kind: 'reference' as const, field: 'c', code: '2' },
);

function treeOf(source: string): LogicNode {
  const parsed = parseLogic(source);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  return parsed.tree;
}

function scopeOf(values: Readonly<Record<string, string>>): LogicScope {
  return {
    value: ({ field, code }) => values[field.toLowerCase() + (code === undefined ? '' : `(${code})`)],
    smart: () => undefined,
  };
}

const valueOf = (source: string, values: Record<string, string> = {}) =>
  compileLogic(treeOf(source), { clock: () => NOW }).value(scopeOf(values));

describe('compileLogic', () => {
  it('answers as the sandbox does, or not at all', () => {
    const fields = new Map(FIELDS.map((field) => [field.name, field]));
    const data = fc.record({ a: logicText, b: logicText, 'c(2)': fc.constantFrom('0', '1') });
    fc.assert(
      fc.property(logicTree(reference), data, (tree, values) => {
        const ours = compileLogic(tree, { clock: () => NOW });
        const theirs = compileInSandbox(printLogic(tree), fields, { clock: () => NOW, missingCodes: [] });
        const scope = scopeOf(values);

        expect(ours.value(scope)).to.be.oneOf([undefined, theirs.value(scope)]);
        expect(ours.isTrue(scope)).to.be.oneOf([undefined, theirs.isTrue(scope)]);
      }),
      { numRuns: 500 },
    );
  });

  for (const [source, expected] of [
    ["[a] = ''", 1],
    ['[a] <> 0', 1],
    ['[a] > 5', 0],
    ["'abc' < 'abd'", 1],
    ["'10' > '9'", 1],
    ["'1,5' = 1.5", 1],
    ['[a] + 1', ''],
    ['sum([a], 2, 3)', 5],
    ['mean([a])', ''],
    ['round(1.005, 2)', 1.01],
    ['round(-2.5)', -3],
    ['round(1234567890123456)', 1_234_567_890_123_456],
    ["length('😀é')", 2],
    ["left('😀é', 1)", '😀'],
    ["right('é😀', 1)", '😀'],
    ["mid('😀é', 2, 1)", 'é'],
    ["find('é', '😀é')", 2],
    ["length(replace_text('ab', '', 'x'))", 2],
    ["datediff('2020-01-01', '2020-01-31', 'd')", 30],
    ["datediff('2020-01-31', '2020-01-01', 'd', true)", -30],
    ["datediff('2020-01-31', '2020-01-01', 'd', 'ymd', true)", -30],
    ["datediff('31-01-2020', '2020-02-01', 'd', 'dmy')", 1],
    ["datediff('1/31/2020', '02/01/2020', 'd', 'mdy', true)", 1],
    ["datediff('02/01/2020', '31/01/2020', 'd', 'DMY', true)", -1 + 30],
    ["datediff('31.01.2020 10:00', '2020-01-31 12:30', 'm', 'dmy')", 150],
    ["datediff('2020/01/31', '2020-02-01', 'd')", 1],
    ["datediff('TODAY', 'now', 'd', 'mdy') < 1", 1],
    ["datediff('soon', '2020-02-01', 'd', 'dmy')", ''],
    ["datediff('today', 'now', 'h') > 12", 1],
    ["age_at_date('1996-02-29', '2026-02-28')", 29],
    ["dayoftheweek('2026-03-01')", 7],
    ["if([a] = '', 'none', [a])", 'none'],
    ["find('B', 'abc')", 2],
    ['(2)^(3)', 8],
    ['-2 * -3', 6],
    ['not 0 and 1', 1],
    ['1 / 0', ''],
  ] as const) {
    it(`returns ${JSON.stringify(expected)} for ${source}`, () => {
      expect(valueOf(source, { a: '' })).to.equal(expected);
    });
  }

  it('returns a blank for a text that is too long for a field', () => {
    const a = 'x'.repeat(40_000);
    expect(valueOf('length(concat([a], [a]))', { a })).to.equal(0);
    expect(valueOf("length(concat_ws(' ', [a], [a]))", { a })).to.equal(0);
  });

  for (const [source, expected] of [
    ["datediff('31-01-2020', '2020-02-01', 'd')", undefined],
    ["datediff('31/01/2020', '2020-02-01', 'd', true)", undefined],
    ["datediff('01-31-2020', '2020-02-01', 'd', 'dmy')", undefined],
    ["age_at_date('31-01-2020')", undefined],
    ["year('01/31/2020')", undefined],
    ['somethingnew([a]) = 1', undefined],
    ['[user-name] = 1', undefined],
    ['somethingnew([a]) = 1 and 1 = 2', 0],
    ['1 = 1 or [unknown_field] = 1', 1],
    ['[unknown_field] = 1 or 1 = 1', 1],
    ['[unknown_field] = 1 or 1 = 2', undefined],
    ['if(1 = 1, 5, somethingnew())', 5],
  ] as const) {
    it(`returns ${expected ?? 'undefined'} for ${source}`, () => {
      expect(valueOf(source, { a: '' })).to.equal(expected);
    });
  }

  it('knows the missing data codes of the project', () => {
    const evaluator = compileLogic(treeOf("ismissingcode([a]) and hasmissingcode([a], 'NA, UNK')"), {
      missingDataCodes: ['UNK'],
    });

    expect(evaluator.isTrue(scopeOf({ a: 'UNK' }))).to.equal(true);
    expect(evaluator.isTrue(scopeOf({ a: 'NA' }))).to.equal(false);
  });
});
