import { expect } from 'chai';
import { isTrue, rowOf, valueOf } from './evaluate.js';

describe('The operators of the logic', () => {
  for (const [source, value] of [
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['8 - 3 - 2', 3],
    ['8 / 4 / 2', 1],
    ['2 * (3)^(2)', 18],
    ['-2 + 5', 3],
    ['+2 - -2', 4],
    ['- - 2', 2],
    ['.5 * 4', 2],
    ["'3' * '4'", 12],
    ['1 / 0', ''],
    ["'x' + 1", ''],
    ['[age] + 1', 31],
    ['[age] + [blank]', ''],
    ['-[blank]', ''],
    ['1 + 1 = 2', 1],
    ['2 < 1 + 2', 1],
  ] as const) {
    it(`evaluate ${source} to ${value === '' ? 'blank' : value}`, () => {
      expect(valueOf(source)).to.equal(value);
    });
  }

  for (const source of [
    "'10' > '9'",
    "'abc' < 'abd'",
    "'B' < 'a'",
    "'1.0' = 1",
    "' 12 ' = 12",
    "'1,5' = '1.5'",
    "'-3' < '.5'",
    "' ' <> ''",
    "' '",
    "'a' > 1",
    "'é' > 'z'",
    "'a' <> 'A'",
    "'2026-10-01' > '2026-09-30'",
    '[age] >= 30 and [age] <= 30',
    '[age] != 31',
    "[blank] = ''",
    '[blank] = ""',
    '[blank] <> 0',
    "[f(1)] = '1'",
    "[f(2)] = '0'",
    '[f(1)]',
    "'text'",
    '1 = 1 or 1 = 1 and 1 = 2',
    '(1 = 2 or 1 = 1) and 1 = 1',
    'not 1 = 2 and 1 = 1',
    'not (1 = 1 and 1 = 2)',
    'NOT 1 = 2 AND 1 = 1 Or 1 = 2',
    'not not 1',
    "[name] = 'Ada'",
    '[NAME] = "Ada"',
  ]) {
    it(`consider ${source} true`, () => {
      expect(isTrue(source)).to.equal(true);
    });
  }

  for (const source of [
    "'10' < '9'",
    "[blank] <> ''",
    '[blank] = 0',
    '[blank] > 5',
    '[blank] < 5',
    '[blank] >= 0',
    "'' <= ''",
    "'ada' = 'Ada'",
    '[blank]',
    "'0'",
    '0.0',
    "''",
    '[f(2)]',
    'not 1',
    'not 1 = 1 or 1 = 2',
    '(1 = 1 or 1 = 1) and 1 = 2',
  ]) {
    it(`consider ${source} false`, () => {
      expect(isTrue(source)).to.equal(false);
    });
  }

  it('return 1 for true and 0 for false', () => {
    expect([valueOf("'a' and 'b'"), valueOf("'' or 'b'"), valueOf("'' or 0")]).to.deep.equal([1, 1, 0]);
  });

  it('do not evaluate what cannot change the result', () => {
    const scope = {
      value: () => {
        throw new Error('looked');
      },
      smart: () => '',
    };

    expect(isTrue('1 = 2 and [age] = 1', scope)).to.equal(false);
    expect(isTrue('1 = 1 or [age] = 1', scope)).to.equal(true);
    expect(valueOf('if(1, 2, [age])', scope)).to.equal(2);
    expect(valueOf('if(0, [age], 3)', scope)).to.equal(3);
  });

  it('allow chains up to the maximum length of logic', () => {
    const chain = (item: string, operator: string, length: number): string =>
      Array.from({ length }, () => item).join(operator);

    expect(isTrue(chain('1=2', ' or ', 7_000))).to.equal(false);
    expect(valueOf(chain('1', '+', 25_000))).to.equal(25_000);
  });
});

describe('A reference of the logic', () => {
  const scope = rowOf({
    'visit_arm_1.age': '41',
    'age.2': '42',
    'visit_arm_1.age.last': '43',
    'visit_arm_1.f(-99)': '1',
    'f(1).first': '1',
    'first-event-name.age': '44',
    'record-name': 'A-1',
    'event-name': 'visit_arm_1',
  });

  for (const [source, value] of [
    ['[visit_arm_1][age]', '41'],
    ['[age][2]', '42'],
    ['[ age ] [ 2 ]', '42'],
    ['[visit_arm_1][age][last-instance]', '43'],
    ['[visit_arm_1][f(-99)]', '1'],
    ['[f( 1 )][first-instance]', '1'],
    ['[first-event-name][age]', '44'],
    ['[record-name]', 'A-1'],
    ['[event-name]', 'visit_arm_1'],
    ['[age]', ''],
  ] as const) {
    it(`resolves ${source}`, () => {
      expect(valueOf(source, scope)).to.equal(value);
    });
  }
});
