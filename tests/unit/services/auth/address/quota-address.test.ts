import { expect } from 'chai';
import { canonicalAddress } from '../../../../../src/services/auth/address/canonical-address.js';
import { quotaAddress } from '../../../../../src/services/auth/address/quota-address.js';

const quotaOf = (address: string) => quotaAddress(canonicalAddress(address));

describe('quotaAddress', () => {
  const one = [
    ['a+1@x.org', 'a@x.org'],
    ['a+1+2@x.org', 'a@x.org'],
    ['Ada.Lovelace+x@Gmail.com', 'adalovelace@gmail.com'],
    ['a.d.a@googlemail.com', 'ada@gmail.com'],
    ['ada_lovelace@pm.me', 'ada.love-lace@protonmail.com'],
    ['a-da@proton.me', 'ada@protonmail.ch'],
  ] as const;
  for (const [left, right] of one) {
    it(`MAIL-09: counts ${left} and ${right} together`, () => {
      expect(quotaOf(left)).to.equal(quotaOf(right));
    });
  }

  const two = [
    ['a.b@x.org', 'ab@x.org'],
    ['a-b@x.org', 'ab@x.org'],
    ['a-b@gmail.com', 'ab@gmail.com'],
    ['ada@gmail.com', 'ada@gmail.com.x.org'],
    ['ada@sub.gmail.com', 'ada@gmail.com'],
    ['ada@gmail.com', 'ada@proton.me'],
  ] as const;
  for (const [left, right] of two) {
    it(`MAIL-09: counts ${left} and ${right} separately, because they may be two people`, () => {
      expect(quotaOf(left)).to.not.equal(quotaOf(right));
    });
  }
});
