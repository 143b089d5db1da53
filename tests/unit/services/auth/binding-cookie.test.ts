import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { BindingCookie } from '../../../../src/services/auth/browser-cookies.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';

const NAME = 'session_link';
const ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' };

describe('BindingCookie', () => {
  let cookies: MemoryCookies;
  let binding: BindingCookie;

  beforeEach(() => {
    cookies = new MemoryCookies();
    binding = new BindingCookie(NAME, true, 600);
  });

  it('AUTH-06: recognizes the browser it was issued to, by a digest', () => {
    const digest = binding.issue(cookies);
    const value = cookies.get(NAME) ?? '';

    expect(value).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(digest).to.deep.equal(createHash('sha256').update(value).digest());
    expect(binding.digestOf(cookies)).to.deep.equal(digest);
    expect(cookies.attributes.get(NAME)).to.deep.equal({ ...ATTRIBUTES, maxAge: 600 });
  });

  it('AUTH-06: ignores a value that it cannot have issued', () => {
    expect(binding.digestOf(cookies)).to.equal(undefined);
    for (const value of [
      '',
      'planted',
      'A'.repeat(42),
      'A'.repeat(44),
      `${'A'.repeat(43)} `,
      `.${'A'.repeat(42)}`,
    ]) {
      cookies.values.set(NAME, value);
      expect(binding.digestOf(cookies), value).to.equal(undefined);
    }
  });

  it('is cleared with the attributes it was set with, and only if there is one', () => {
    binding.clear(cookies);
    expect(cookies.attributes.size).to.equal(0);

    binding.issue(cookies);
    binding.clear(cookies);
    expect(cookies.get(NAME)).to.equal(undefined);
    expect(cookies.attributes.get(NAME)).to.deep.equal(ATTRIBUTES);
  });
});
