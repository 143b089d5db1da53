import { expect } from 'chai';
import { isTrue, refusalOf } from './evaluate.js';

describe('Logic that cannot be read', () => {
  for (const [source, reason] of [
    ['', 'it ends too early'],
    ['[age] >', 'it ends too early'],
    ['not', 'it ends too early'],
    ['[age] = 1 [age]', 'something stands behind its end'],
    ['1 2', 'something stands behind its end'],
    ['(1', 'a ) is missing'],
    ['1)', 'something stands behind its end'],
    ['[age] == 1', 'an operator stands where a value is needed'],
    ['* 1', 'an operator stands where a value is needed'],
    ['()', 'an operator stands where a value is needed'],
    ["[name] like 'A'", 'something stands behind its end'],
    ["'open", 'it cannot be read at character 1'],
    ['[age', 'it cannot be read at character 1'],
    ['[age] ; 1', 'it cannot be read at character 7'],
    ['[age] & 1', 'it cannot be read at character 7'],
    ['[nowhere] = 1', 'it names a field that does not exist'],
    ['[] = 1', 'it names a field that does not exist'],
    ['[user-name]', 'it names a field that does not exist'],
    ['[f(7)]', 'it names a choice that does not exist'],
    ['[age(1)]', 'it names a choice of a field that is no checkbox'],
    ['[age][soon]', 'it names an instance that cannot be read'],
    ['[age][1][2]', 'a reference has too many parts'],
    ['age = 1', 'it uses a function that does not exist'],
    ['nothing(1)', 'it uses a function that does not exist'],
    ['sum', 'a ( is missing'],
    ['sum(1, )', 'an operator stands where a value is needed'],
    ['sum(1', 'a ) is missing'],
    ['sum()', 'a function has another number of arguments than it takes'],
    ['if(1, 2)', 'a function has another number of arguments than it takes'],
    ['abs(1, 2)', 'a function has another number of arguments than it takes'],
  ] as const) {
    it(`${source === '' ? 'says of no logic' : `says of ${source}`}: ${reason}`, () => {
      expect(refusalOf(source)).to.equal(reason);
    });
  }

  it('is refused before its nesting can end the process, whatever nests', () => {
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

  it('is refused when it is longer than 50,000 characters', () => {
    expect(refusalOf(`1${' '.repeat(50_000)}`)).to.equal('it is too long');
  });

  it('may nest a hundred deep, and no deeper', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}1${')'.repeat(depth)}`;

    expect(isTrue(nested(100))).to.equal(true);
    expect(refusalOf(nested(101))).to.equal('it is nested too deep');
  });

  it('never repeats what was written, which may hold a value', () => {
    for (const source of ["[name] = 'Lovelace' Lovelace", '[lovelace]', 'lovelace(1)', '[f(lovelace)]']) {
      expect(refusalOf(source).toLowerCase()).not.to.include('lovelace');
    }
  });
});

describe('Blanks and comments in logic', () => {
  it('is allowed anywhere between its parts', () => {
    expect(isTrue('\n[age]\t=\r\n30 ')).to.equal(true);
  });

  for (const [place, source] of [
    ['at the beginning', '// first\n[age] = 30'],
    ['between lines', '[age] = 30\n# and then\nand [name] = "Ada"'],
    ['behind blanks', '[age] = 30\n   // and then\nand [name] = "Ada"'],
    ['at the end', '[age] = 30\n// all'],
  ] as const) {
    it(`a comment is allowed ${place}`, () => {
      expect(isTrue(source)).to.equal(true);
    });
  }

  it('a comment begins a line: elsewhere it is no comment', () => {
    expect(refusalOf('[age] = 30 # not here')).to.equal('it cannot be read at character 12');
  });
});
