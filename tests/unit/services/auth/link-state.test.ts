import { expect } from 'chai';
import { macOf } from '../../../../src/services/auth/auth-keys.js';
import { isStateOf, readLinkState, writeLinkState } from '../../../../src/services/auth/link-state.js';

const KEY = Buffer.alloc(32, 1);
const BINDING = Buffer.alloc(32, 2);

describe('The state of a link', () => {
  it('AUTH-06: tells when and by which browser the link was requested, and for which address', () => {
    const text = writeLinkState(KEY, { issuedAt: 1_800_000_000_000, binding: BINDING }, 'ada@example.org');
    const state = readLinkState(KEY, text);

    expect(text).to.match(/^[A-Za-z0-9_-]{138}$/);
    expect(state).to.include({ issuedAt: 1_800_000_000_000 });
    expect(state?.binding).to.deep.equal(BINDING);
    if (state === undefined) throw new Error('The state was not read.');
    expect(isStateOf(KEY, state, 'ada@example.org')).to.equal(true);
    expect(isStateOf(KEY, state, 'eve@example.org')).to.equal(false);
    expect(isStateOf(Buffer.alloc(32, 3), state, 'ada@example.org')).to.equal(false);
  });

  it('AUTH-06: names no browser if a program requested the link', () => {
    const text = writeLinkState(KEY, { issuedAt: 1, binding: undefined }, 'ada@example.org');

    expect(readLinkState(KEY, text)?.binding).to.equal(undefined);
  });

  it('LOGIN-06: is not read if it is longer or shorter, or has another version or key', () => {
    const text = writeLinkState(KEY, { issuedAt: 1, binding: BINDING }, 'ada@example.org');
    const body = Buffer.from(text, 'base64url').subarray(0, 71);
    body.writeUInt8(2, 0);
    const later = Buffer.concat([body, macOf(KEY, body)]).toString('base64url');

    for (const other of ['', text.slice(1), `${text}A`, ` ${text}`, `${text}\n`, later]) {
      expect(readLinkState(KEY, other), JSON.stringify(other)).to.equal(undefined);
    }
    expect(readLinkState(Buffer.alloc(32, 3), text)).to.equal(undefined);
  });
});
