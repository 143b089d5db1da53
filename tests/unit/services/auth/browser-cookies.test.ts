import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { seal } from '../../../../src/domain/crypto/sealed-text.js';
import {
  BindingCookie,
  SessionCookie,
  type SessionTicket,
} from '../../../../src/services/auth/browser-cookies.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';

const KEY = Buffer.alloc(32, 1);
const NAME = 'session';
const BINDING_NAME = 'session_link';
const MINUTE = 60_000;
const TICKET: SessionTicket = {
  sessionId: 's1',
  userId: 'ada',
  secret: 'secret',
  authenticatedAt: 0,
  expiresAt: 60 * MINUTE,
  seenAt: 0,
};
const ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' };

describe('SessionCookie', () => {
  let clock: { now: number };
  let cookies: MemoryCookies;
  let cookie: SessionCookie;

  beforeEach(() => {
    clock = { now: 0 };
    cookies = new MemoryCookies();
    cookie = new SessionCookie({
      key: KEY,
      name: NAME,
      isSecure: true,
      idleMs: 30 * MINUTE,
      clock: () => new Date(clock.now),
    });
  });

  it('SESS-02: is read until it was idle too long', () => {
    cookie.write(cookies, TICKET);

    clock.now = 30 * MINUTE - 1;
    expect(cookie.read(cookies)).to.deep.equal(TICKET);
    clock.now = 30 * MINUTE;
    expect(cookie.read(cookies)).to.equal(undefined);
    expect(cookie.readAny(cookies)).to.deep.equal(TICKET);
  });

  it('SESS-02: is read until the session ends, however recently it was used', () => {
    cookie.write(cookies, { ...TICKET, seenAt: 50 * MINUTE });

    clock.now = 60 * MINUTE - 1;
    expect(cookie.read(cookies)?.sessionId).to.equal('s1');
    clock.now = 60 * MINUTE;
    expect(cookie.read(cookies)).to.equal(undefined);
  });

  it('COOK-01: lives in the browser as long as here, in whole seconds', () => {
    for (const [now, maxAge] of [
      [0, 1_800],
      [1, 1_799],
      [30 * MINUTE - 1, 0],
      [31 * MINUTE, 0],
    ] as const) {
      clock.now = now;
      cookie.write(cookies, TICKET);

      expect(cookies.attributes.get(NAME)).to.deep.equal({
        ...ATTRIBUTES,
        expires: new Date(30 * MINUTE),
        maxAge,
      });
    }
  });

  it('COOK-01: is cleared with the attributes it was set with', () => {
    cookie.write(cookies, TICKET);
    cookie.clear(cookies);

    expect(cookies.get(NAME)).to.equal(undefined);
    expect(cookies.attributes.get(NAME)).to.deep.equal(ATTRIBUTES);
  });

  it('SESS-02: is written again at most once a minute', () => {
    clock.now = MINUTE - 1;
    cookie.touch(cookies, TICKET);
    expect(cookies.get(NAME)).to.equal(undefined);

    clock.now = MINUTE;
    cookie.touch(cookies, TICKET);
    expect(cookie.read(cookies)).to.deep.equal({ ...TICKET, seenAt: MINUTE });
  });

  it('COOK-03: is not read if it is not what this service writes', () => {
    expect(cookie.readAny(cookies), 'none').to.equal(undefined);
    for (const value of [
      'nonsense',
      seal(KEY, NAME, '{}'),
      seal(KEY, NAME, JSON.stringify({ ...TICKET, seenAt: '0' })),
      seal(KEY, 'other', JSON.stringify(TICKET)),
      seal(Buffer.alloc(32, 2), NAME, JSON.stringify(TICKET)),
      seal(KEY, NAME, JSON.stringify({ ...TICKET, secret: 'x'.repeat(4_000) })),
    ]) {
      cookies.values.set(NAME, value);
      expect(cookie.readAny(cookies), value.slice(0, 40)).to.equal(undefined);
      expect(cookie.read(cookies), value.slice(0, 40)).to.equal(undefined);
    }
  });
});

describe('BindingCookie', () => {
  let cookies: MemoryCookies;
  let binding: BindingCookie;

  beforeEach(() => {
    cookies = new MemoryCookies();
    binding = new BindingCookie(BINDING_NAME, true, 600);
  });

  it('AUTH-06: recognizes the browser it was issued to, by a digest', () => {
    const digest = binding.issue(cookies);
    const value = cookies.get(BINDING_NAME) ?? '';

    expect(value).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(digest).to.deep.equal(createHash('sha256').update(value).digest());
    expect(binding.digestOf(cookies)).to.deep.equal(digest);
    expect(cookies.attributes.get(BINDING_NAME)).to.deep.equal({ ...ATTRIBUTES, maxAge: 600 });
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
      cookies.values.set(BINDING_NAME, value);
      expect(binding.digestOf(cookies), value).to.equal(undefined);
    }
  });

  it('is cleared with the attributes it was set with, and only if there is one', () => {
    binding.clear(cookies);
    expect(cookies.attributes.size).to.equal(0);

    binding.issue(cookies);
    binding.clear(cookies);
    expect(cookies.get(BINDING_NAME)).to.equal(undefined);
    expect(cookies.attributes.get(BINDING_NAME)).to.deep.equal(ATTRIBUTES);
  });
});
