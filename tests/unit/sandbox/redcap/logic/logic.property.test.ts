import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { LogicError } from '../../../../../src/sandbox/redcap/logic.js';
import { isTrue, rowOf, valueOf } from './evaluate.js';

/** Fragments of valid and invalid logic. */
const piece = fc.constantFrom(
  '[age]',
  '[f(1)]',
  '[born]',
  '[nowhere]',
  '[v_arm_1]',
  '[2]',
  '[last-instance]',
  '[',
  ']',
  '(',
  ')',
  ',',
  'and',
  'or',
  'not',
  '=',
  '<>',
  '!=',
  '<',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '^',
  '#',
  '//',
  '\n',
  ' ',
  'sum',
  'if',
  'datediff',
  'round',
  'concat',
  'true',
  '1',
  '2.5',
  "'a'",
  '"b"',
  "'",
  '"',
  "''",
  'é',
  '\0',
);
const soup = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** A comparison of two constants. */
const comparison = fc
  .tuple(
    fc.integer({ min: -5, max: 5 }),
    fc.constantFrom('=', '<>', '<', '<=', '>', '>='),
    fc.integer({ min: -5, max: 5 }),
  )
  .map(([left, operator, right]) => `'${left}' ${operator} ${right}`);

/** Texts that can be quoted, often numbers. */
const quotable = fc.oneof(
  fc.string({ maxLength: 8 }).map((text) => text.replaceAll("'", '').replaceAll('"', '')),
  fc.integer().map(String),
  fc.constant(''),
);

/** Whole-number arithmetic with `+`, `-` and `*` that is also valid JavaScript. */
const { arithmetic } = fc.letrec<{ arithmetic: string }>((tie) => ({
  arithmetic: fc.oneof(
    { maxDepth: 5 },
    fc.integer({ min: 0, max: 9 }).map(String),
    fc
      .tuple(tie('arithmetic'), fc.constantFrom('+', '-', '*'), tie('arithmetic'))
      .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    tie('arithmetic').map((inner) => `(${inner})`),
  ),
}));

describe('The logic, for any input', () => {
  it('is either evaluated or refused with LogicError', () => {
    fc.assert(
      fc.property(soup, (source) => {
        try {
          valueOf(source, rowOf({ age: '30' }));
        } catch (error) {
          expect(error).to.be.instanceOf(LogicError);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('follows the precedence of arithmetic', () => {
    fc.assert(
      fc.property(arithmetic, (source) => {
        expect(Number(valueOf(source)) + 0).to.equal(Number(runInNewContext(source)) + 0); // Adding 0 turns -0 into 0.
      }),
    );
  });

  it('binds `and` tighter than `or`, and `not` tighter than both', () => {
    fc.assert(
      fc.property(comparison, comparison, comparison, (a, b, c) => {
        const [first, second, third] = [isTrue(a), isTrue(b), isTrue(c)];
        expect(isTrue(`${a} or ${b} and ${c}`)).to.equal(first || (second && third));
        expect(isTrue(`${a} and ${b} or ${c}`)).to.equal((first && second) || third);
        expect(isTrue(`not ${a} and ${b}`)).to.equal(!first && second);
        expect(isTrue(`not ${a} or ${b}`)).to.equal(!first || second);
      }),
    );
  });

  it("obeys De Morgan's laws", () => {
    fc.assert(
      fc.property(comparison, comparison, (a, b) => {
        expect(isTrue(`not (${a} and ${b})`)).to.equal(isTrue(`not (${a}) or not (${b})`));
        expect(isTrue(`not (${a} or ${b})`)).to.equal(isTrue(`not (${a}) and not (${b})`));
      }),
    );
  });

  it('compares numbers as numbers, quoted or not', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (left, right) => {
        expect(isTrue(`'${left}' < '${right}'`)).to.equal(left < right);
        expect(isTrue(`${left} >= '${right}'`)).to.equal(left >= right);
        expect(isTrue(`'${left}.0' = ${left}`)).to.equal(true);
      }),
    );
  });

  it('satisfies exactly one of <, = and > for texts that are not blank, and <> is the opposite of =', () => {
    fc.assert(
      fc.property(quotable, quotable, (left, right) => {
        const holds = (operator: string): boolean => isTrue(`'${left}' ${operator} "${right}"`);
        const outcomes = ['<', '=', '>'].filter(holds);
        expect(holds('<>')).to.equal(!holds('='));
        expect(holds('!=')).to.equal(holds('<>'));
        if (left !== '' && right !== '') {
          expect(outcomes).to.have.length(1);
          expect(holds('<=')).to.equal(!holds('>'));
        } else {
          expect(outcomes).to.deep.equal(left === right ? ['='] : []);
        }
      }),
    );
  });
});
