import { expect } from 'chai';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { seal, unseal } from '../../../../src/domain/crypto/sealed-text.js';
import { oneAway } from '../../../support/one-away.js';

describe('seal and unseal', () => {
  const key = randomBytes(32);

  it('round-trips every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(unseal(key, 'test', seal(key, 'test', text))).to.equal(text);
      }),
    );
  });

  it('AUTH-05: never produces the same sealed text twice', () => {
    const sealed = new Set(Array.from({ length: 10_000 }, () => seal(key, 'test', 'text')));

    expect(sealed.size).to.equal(10_000);
  });

  it('returns undefined for another key or another purpose', () => {
    const sealed = seal(key, 'test', 'text');

    expect(unseal(randomBytes(32), 'test', sealed)).to.equal(undefined);
    expect(unseal(key, 'other', sealed)).to.equal(undefined);
  });

  for (const text of ['', 'a', 'ab', 'abc']) {
    it(`rejects every alteration of a sealed ${JSON.stringify(text)}, including other encodings of it`, () => {
      const sealed = seal(key, 'test', text);

      for (const other of [...oneAway(sealed), `${sealed}=`, ` ${sealed}`, sealed.slice(4), '']) {
        expect(unseal(key, 'test', other)).to.equal(undefined);
      }
    });
  }
});
