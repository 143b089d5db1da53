import { expect } from 'chai';
import { isTrue, refusalOf } from './evaluate.js';

describe('Invalid logic', () => {
  for (const [source, reason] of [
    ['', 'it ends too early'],
    ['[age] >', 'it ends too early'],
    ['not', 'it ends too early'],
    ['[age] = 1 [age]', 'there is text after its end'],
    ['1 2', 'there is text after its end'],
    ['(1', 'it cannot be read at character 1'],
    ['(1 2)', 'a ) is missing'],
    ['1)', 'it cannot be read at character 2'],
    ['[age] == 1', 'an operator stands where a value is needed'],
    ['* 1', 'an operator stands where a value is needed'],
    ['()', 'an operator stands where a value is needed'],
    ["[name] like 'A'", 'there is text after its end'],
    ["'open", 'it cannot be read at character 1'],
    ['[age', 'it cannot be read at character 1'],
    ['[age] ; 1', 'it cannot be read at character 7'],
    ['[age] & 1', 'it cannot be read at character 7'],
    ['[nowhere] = 1', 'it names a field that does not exist'],
    ['[] = 1', 'it names a field that does not exist'],
    ['[user-name]', 'it names a field that does not exist'],
    ['[f(7)]', 'it names a choice that does not exist'],
    ['[age(1)]', 'it names a choice of a field that is not a checkbox'],
    ['[age][soon]', 'it names an instance that cannot be read'],
    ['[age][1][2]', 'it names a field that does not exist'],
    ['[v_arm_1][age][name][2]', 'a reference has too many parts'],
    ['[previous-event-name][age]', 'it names a field that does not exist'],
    ['[somewhere][age]', 'it names a field that does not exist'],
    ['age = 1', 'it uses a function that does not exist'],
    ['nothing(1)', 'it uses a function that does not exist'],
    ['sum', 'it uses a function that does not exist'],
    ['sum(1, )', 'an operator stands where a value is needed'],
    ['sum(1', 'it cannot be read at character 4'],
    ['sum()', 'a function has the wrong number of arguments'],
    ['if(1, 2)', 'a function has the wrong number of arguments'],
    ['abs(1, 2)', 'a function has the wrong number of arguments'],
  ] as const) {
    it(`${source === '' ? 'is refused when empty' : `is refused: ${source}`} (${reason})`, () => {
      expect(refusalOf(source)).to.equal(reason);
    });
  }

  it('is refused before its nesting can overflow the stack, whatever is nested', () => {
    const deep = 20_000;
    for (const source of [
      `${'('.repeat(deep)}1${')'.repeat(deep)}`,
      `${'-'.repeat(deep)}1`,
      `${'+'.repeat(deep)}1`,
      `${'not '.repeat(deep / 2)}1`,
      `${'abs('.repeat(deep / 4)}1${')'.repeat(deep / 4)}`,
    ]) {
      expect(refusalOf(source)).to.equal('it is nested too deep');
    }
  });

  it('is refused if it is longer than 50,000 characters', () => {
    expect(refusalOf(`1${' '.repeat(50_000)}`)).to.equal('it is too long');
  });

  it('may be nested a hundred levels deep, and no deeper', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}1${')'.repeat(depth)}`;

    expect(isTrue(nested(100))).to.equal(true);
    expect(refusalOf(nested(101))).to.equal('it is nested too deep');
  });

  it('is never repeated in the reason, because it may contain a value', () => {
    for (const source of ["[name] = 'Lovelace' Lovelace", '[lovelace]', 'lovelace(1)', '[f(lovelace)]']) {
      expect(refusalOf(source).toLowerCase()).not.to.include('lovelace');
    }
  });
});

describe('White space and comments in logic', () => {
  it('are allowed anywhere between tokens', () => {
    expect(isTrue('\n[age]\t=\r\n30 ')).to.equal(true);
  });

  for (const [place, source] of [
    ['at the beginning', '// first\n[age] = 30'],
    ['between lines', '[age] = 30\n# and then\nand [name] = "Ada"'],
    ['after blanks', '[age] = 30\n   // and then\nand [name] = "Ada"'],
    ['at the end', '[age] = 30\n// all'],
  ] as const) {
    it(`allow a comment ${place}`, () => {
      expect(isTrue(source)).to.equal(true);
    });
  }

  it('allow comments only at the start of a line', () => {
    expect(refusalOf('[age] = 30 # not here')).to.equal('it cannot be read at character 12');
  });
});
