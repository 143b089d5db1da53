import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { isCode, keepCode, newDeviceCode } from '../../../../src/services/auth/link-requests.js';

describe('A code for another device', () => {
  it('LOGIN-15: has twice four letters that are easy to tell apart, all equally likely', () => {
    const codes = Array.from({ length: 500 }, newDeviceCode);

    for (const code of codes) expect(code).to.match(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(new Set(codes).size).to.equal(500);
    expect(new Set(codes.join('').replaceAll('-', '')).size).to.equal(20);
  });

  it('LOGIN-15: is recognised however it is typed', () => {
    const kept = keepCode('WDJB-MJHT');

    for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' w d j b\t-m j h t\n', 'WDJB--MJHT']) {
      expect(isCode(kept, typed), typed).to.equal(true);
    }
    for (const typed of ['', 'WDJB', 'WDJB-MJHX', 'MJHT-WDJB', 'WDJB-MJHTT', 'WDJB_MJHT']) {
      expect(isCode(kept, typed), typed).to.equal(false);
    }
  });

  it('LOGIN-15: is read only up to the 64th character', () => {
    const kept = keepCode('WDJB-MJHT');

    expect(isCode(kept, `${' '.repeat(55)}WDJB-MJHT`)).to.equal(true);
    expect(isCode(kept, `${' '.repeat(56)}WDJB-MJHT`)).to.equal(false);
  });

  it('AUTH-05: is kept only as a digest with a salt of its own', () => {
    const [one, other] = [keepCode('WDJB-MJHT'), keepCode('WDJB-MJHT')];
    const [salt, digest] = [Buffer.from(one.salt, 'base64'), Buffer.from(one.digest, 'base64')];

    expect([salt.length, digest.length]).to.deep.equal([16, 32]);
    expect(one.salt).to.not.equal(other.salt);
    expect(digest).to.deep.equal(createHash('sha256').update(salt).update('WDJBMJHT').digest());
  });
});
