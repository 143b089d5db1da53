import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidRequestError } from '../../../../src/domain/errors/index.js';
import { where } from '../../../../src/domain/logic/builder.js';
import { compileLogic } from '../../../../src/domain/logic/evaluator.js';
import { parseLogic } from '../../../../src/domain/logic/parser.js';

describe('where', () => {
  for (const [logic, text] of [
    [where('age').gte(18).and(where('sites').includes('3')), "[age] >= 18 and [sites(3)] = '1'"],
    [where('a').eq(1).or(where('b').eq(2)).and(where('c').lt(-3)), '([a] = 1 or [b] = 2) and [c] < -3'],
    [where('name').eq("O'Brien"), `[name] = "O'Brien"`],
    [where('name').ne('a').not(), "not [name] <> 'a'"],
    [where('sex').isOneOf(['1', '2']), "[sex] = '1' or [sex] = '2'"],
    [where('sex').isOneOf(['1']), "[sex] = '1'"],
    [where('sites').excludes(-99).and(where('age').isNotBlank()), "[sites(-99)] = '0' and [age] <> ''"],
    [
      where('drug').atEvent('1_arm_1').inInstance('last').contains('x'),
      "contains([1_arm_1][drug][last-instance], 'x')",
    ],
    [where('email').eqIgnoringCase('Ada@Example.org'), "lower([email]) = 'ada@example.org'"],
  ] as const) {
    it(`writes ${text}`, () => {
      expect(String(logic)).to.equal(text);
    });
  }

  for (const [title, build] of [
    ['an invalid field name', () => where('age] > 0 or [x')],
    ['an invalid event name', () => where('age').atEvent('x][y')],
    ['both kinds of quote', () => where('name').eq(`'"`)],
    ['a backslash', () => where('name').eq('\\')],
    ['a line break', () => where('name').contains('a\nb')],
    ['a code that could close its bracket', () => where('sites').includes('1)] = 1 or [x')],
    ['NaN', () => where('age').gt(Number.NaN)],
    ['instance 0', () => where('age').inInstance(0)],
    ['an invalid instance', () => where('age').inInstance('1] = 1 or [x' as never)],
    ['no alternatives', () => where('age').isOneOf([])],
  ] as const) {
    it(`refuses ${title}`, () => {
      expect(build).to.throw(InvalidRequestError);
    });
  }

  it('writes any accepted text so that only this text matches', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), (wanted, other) => {
        fc.pre(!/[\u0000-\u001f\u007f\\]/.test(wanted) && !(wanted.includes("'") && wanted.includes('"')));
        const parsed = parseLogic(String(where('name').eq(wanted)));

        expect(parsed).to.have.nested.property('tree.rest[0].operand.value', wanted);
        const { tree } = parsed as Extract<typeof parsed, { tree: unknown }>;
        const holds = compileLogic(tree).isTrue({ value: () => other, smart: () => undefined });
        if (Number.isNaN(Number(wanted.replace(',', '.')))) expect(holds).to.equal(other === wanted);
      }),
    );
  });
});
