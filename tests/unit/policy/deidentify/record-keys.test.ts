import { expect } from 'chai';
import fc from 'fast-check';
import { PolicyInvalidError } from '../../../../src/domain/errors/operator-errors.js';
import { ExistingRecordId } from '../../../../src/domain/identifiers/record-id.js';
import { MAX_SHIFT_DAYS, RecordKeys } from '../../../../src/policy/deidentify/record-keys.js';

const SECRET = Buffer.alloc(32, 7);
const keys = new RecordKeys(SECRET, 'analyst');

const recordId = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 47 })
  .filter((text) => text.isWellFormed() && Buffer.byteLength(text) <= 47);

describe('RecordKeys', () => {
  it('leads from every pseudonym back to its record id', () => {
    fc.assert(fc.property(recordId, (id) => keys.idOf(keys.pseudonymOf(id)) === id));
  });

  it('makes pseudonyms that are equally long whatever the id, can be record ids, and never begin a formula', () => {
    fc.assert(
      fc.property(recordId, (id) => {
        const pseudonym = keys.pseudonymOf(id);

        expect(pseudonym).to.match(/^p[0-9a-f]{4}-[\w-]{75}$/);
        expect(ExistingRecordId(pseudonym)).to.equal(pseudonym);
      }),
    );
  });

  it('gives the same record the same pseudonym in every process that has the key, and in no other policy', () => {
    const pseudonym = keys.pseudonymOf('1');

    expect(new RecordKeys(SECRET, 'analyst').pseudonymOf('1')).to.equal(pseudonym);
    expect(keys.pseudonymOf('2')).to.not.equal(pseudonym);
    for (const other of [new RecordKeys(SECRET, 'partner'), new RecordKeys(Buffer.alloc(32, 8), 'analyst')]) {
      expect(other.pseudonymOf('1').slice(6)).to.not.equal(pseudonym.slice(6));
      expect(other.idOf(pseudonym)).to.equal(undefined);
    }
  });

  it('recognises no text that it did not write, not even one that differs in a single character', () => {
    const pseudonym = keys.pseudonymOf('TRIAL-1');

    for (const text of ['', 'TRIAL-1', pseudonym.slice(0, -1), `${pseudonym}A`, pseudonym.slice(0, 6)])
      expect(keys.idOf(text), text).to.equal(undefined);
    for (let at = 0; at < pseudonym.length; at++) {
      const other = pseudonym[at] === 'A' ? 'B' : 'A';
      const changed = pseudonym.slice(0, at) + other + pseudonym.slice(at + 1);
      expect(keys.idOf(changed), changed).to.equal(undefined);
    }
  });

  it('makes ids that nobody gets back, if they are for one time only', () => {
    const once = new RecordKeys(SECRET, 'analyst', true);

    expect(once.idOf(once.pseudonymOf('1'))).to.equal('1');
    expect(new RecordKeys(SECRET, 'analyst', true).idOf(once.pseudonymOf('1'))).to.equal(undefined);
    expect(once.daysOf('1')).to.equal(keys.daysOf('1'));
  });

  it('refuses an id that is too long for its pseudonym, without repeating it', () => {
    const id = 'é'.repeat(24);

    expect(() => keys.pseudonymOf(id))
      .to.throw(PolicyInvalidError, 'more than 47 bytes')
      .and.satisfy(({ message }: Error) => !message.includes('é'));
  });

  it('shifts the dates of a record by 1 to 364 days, and uses all of them', () => {
    const days = Array.from({ length: 20_000 }, (_, index) => keys.daysOf(`record ${index}`));

    expect(Math.min(...days)).to.equal(1);
    expect(Math.max(...days)).to.equal(MAX_SHIFT_DAYS);
    expect(new Set(days).size).to.equal(MAX_SHIFT_DAYS);
    expect(keys.daysOf('record 1')).to.equal(days[1]);
    expect(new RecordKeys(SECRET, 'partner').daysOf('record 1')).to.not.equal(days[1]);
  });
});
