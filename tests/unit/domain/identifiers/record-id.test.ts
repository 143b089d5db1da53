import { expect } from 'chai';
import { InvalidIdentifierError } from '../../../../src/domain/errors/caller-errors.js';
import { ExistingRecordId, isRecordId, RecordId } from '../../../../src/domain/identifiers/record-id.js';

describe('RecordId', () => {
  const cases: readonly [string, string, boolean][] = [
    ['20 characters', 'a'.repeat(20), true],
    ['100 characters', 'a'.repeat(100), true],
    ['letters of any script', 'Ольга-李小龙-عائشة-0001', true],
    ['a blank inside', 'site one, participant 1', true],
    ['19 characters', 'a'.repeat(19), false],
    ['101 characters', 'a'.repeat(101), false],
    ['a blank at the start', ` ${'a'.repeat(25)}`, false],
    ['a blank at the end', `${'a'.repeat(25)} `, false],
    ['a line break at the end', `${'a'.repeat(25)}\n`, false],
    ['a control character', `${'a'.repeat(25)}\u0007b`, false],
    ['an unpaired surrogate', `${'a'.repeat(25)}\ud83d`, false],
  ];

  for (const [description, value, verdict] of cases) {
    it(`${verdict ? 'accepts' : 'refuses'} ${description}`, () => {
      expect(isRecordId(value)).to.equal(verdict);
    });
  }

  it('takes a minimum length, for projects that number their records', () => {
    expect(RecordId('7', 1)).to.equal('7');
    expect(() => RecordId('', 1)).to.throw('must have 1 to 100 characters');
  });

  it('refuses an id with the code invalid_identifier, and says what of and why', () => {
    const refusal = expect(() => RecordId('7')).to.throw();

    refusal.with.property('code', 'invalid_identifier');
    refusal.with.nested.property('errors[0].field', 'record id');
    refusal.with.nested.property('errors[0].message').that.includes('20');
  });
});

describe('ExistingRecordId', () => {
  it('accepts ids shorter than new ones, with leading and trailing blanks as REDCap stores them', () => {
    for (const id of ['1', ' a ', 'a,b', 'é'.repeat(100)]) expect(ExistingRecordId(id)).to.equal(id);
  });

  it('refuses blank ids, long ids and control characters without repeating them', () => {
    for (const id of ['', '  ', 'x'.repeat(101), 'a\nb', 'a\u0085b']) {
      expect(() => ExistingRecordId(id)).to.throw(
        InvalidIdentifierError,
        /^A record id must have 1 to 100 characters/,
      );
    }
  });
});
