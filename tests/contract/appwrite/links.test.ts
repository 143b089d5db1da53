import { expect } from 'chai';
import { once } from 'node:events';
import { EventEmitter } from 'node:events';
import {
  startAppwriteSandbox,
  type AppwriteSandbox,
} from '../../../src/sandbox/appwrite/appwrite-sandbox.js';
import type { IdentityMail } from '../../../src/sandbox/appwrite/mailbox.js';
import { asGuest, exceptionOf, refusalOf, withKey } from './clients.js';

const EMAIL = 'ada@example.org';

describe('A sign-in link of the Appwrite sandbox', () => {
  let sandbox: AppwriteSandbox;
  const post = new EventEmitter();

  beforeEach(async () => {
    sandbox = await startAppwriteSandbox({
      clock: () => new Date('2026-11-20T20:00:00.123Z'),
      onMail: (mail) => post.emit('mail', mail),
    });
  });
  afterEach(() => sandbox.close());

  const ask = (parameters: { userId?: string; email?: string; url?: string } = {}) =>
    withKey(sandbox).account.createMagicURLToken({ userId: 'unique()', email: EMAIL, ...parameters });

  it('is a token of 64 hexadecimal digits that expires in an hour, when created with a key', async () => {
    const token = await ask();

    expect(token).to.include({
      $createdAt: '2026-11-20T20:00:00.123+00:00',
      expire: '2026-11-20T21:00:00.123+00:00',
      phrase: '',
    });
    expect(token.secret).to.match(/^[0-9a-f]{64}$/);
    expect(token.$id).to.match(/^[0-9a-f]{20}$/);
    expect(token.userId).to.match(/^[0-9a-f]{20}$/);
  });

  it('is kept in the mailbox with the newest ones only', async () => {
    let left = 201;
    const delivered = new Promise<void>((resolve) => {
      post.on('mail', () => (left -= 1) === 0 && resolve());
    });
    const sent = Array.from({ length: left }, (_, index) => ask({ email: `person.${index}@example.org` }));
    await Promise.all(sent);
    await delivered;
    post.removeAllListeners();

    expect(sandbox.mails).to.have.length(200);
  });

  it('does not show its secret without a key', async () => {
    const token = await asGuest(sandbox).account.createMagicURLToken({ userId: 'unique()', email: EMAIL });

    expect(token.secret).to.equal('');
    expect(token.userId).to.match(/^[0-9a-f]{20}$/);
  });

  it('is mailed with four parameters appended to existing ones, keeping the fragment', async () => {
    const mailed = once(post, 'mail') as Promise<[IdentityMail]>;
    const token = await ask({ userId: 'ada.1', url: 'http://localhost:3000/login?st=x%2By#top' });
    const [mail] = await mailed;

    expect(mail.link).to.equal(
      `http://localhost:3000/login?st=x%2By&userId=ada.1&secret=${token.secret}&expire=2026-11-20T21%3A00%3A00.123%2B00%3A00&project=sandbox#top`,
    );
    expect(mail).to.include({ to: EMAIL, subject: 'CRF Service (sandbox) Login' });
    expect(mail.requestedWith).to.match(/^AppwriteNodeJSSDK\//);
    expect(sandbox.mails).to.deep.equal([mail]);
  });

  it('names the requesting browser if the caller has a key', async () => {
    const { client, account } = withKey(sandbox);
    client.setForwardedUserAgent('Mozilla/5.0 (X11; Linux) Firefox/140.0');
    const mailed = once(post, 'mail') as Promise<[IdentityMail]>;
    await account.createMagicURLToken({ userId: 'unique()', email: EMAIL });

    expect((await mailed)[0].requestedWith).to.equal('Mozilla/5.0 (X11; Linux) Firefox/140.0');
    const guest = asGuest(sandbox);
    guest.client.setForwardedUserAgent('Liar/1.0');
    const other = once(post, 'mail') as Promise<[IdentityMail]>;
    await guest.account.createMagicURLToken({ userId: 'unique()', email: EMAIL });
    expect((await other)[0].requestedWith).to.match(/^AppwriteNodeJSSDK\//);
  });

  it('creates an unverified user with the requested id', async () => {
    expect((await ask({ userId: 'ada-lovelace.1_A' })).userId).to.equal('ada-lovelace.1_A');
    expect(sandbox.store.users).to.have.length(1);
    expect(sandbox.store.user('ada-lovelace.1_A')).to.include({ email: EMAIL, isEmailVerified: false });
  });

  it('ignores the requested id for an address that has a user, and returns the id of that user', async () => {
    const first = await ask({ userId: 'first' });
    const second = await ask({ userId: 'second' });

    expect([first.userId, second.userId]).to.deep.equal(['first', 'first']);
    expect(second.secret).not.to.equal(first.secret);
    expect(sandbox.store.users).to.have.length(1);
  });

  it('fails with 500 for an id that belongs to another address, as Appwrite does', async () => {
    await ask({ userId: 'taken' });

    expect(await refusalOf(ask({ userId: 'taken', email: 'other@example.org' }))).to.equal(
      '500 general_unknown',
    );
    expect(sandbox.mails).to.have.length(1);
  });

  it('keeps the address as sent, so that another case or blanks mean another user', async () => {
    const addresses = [EMAIL, 'Ada@example.org', ' ada@example.org '];
    for (const email of addresses) await ask({ email });

    expect(sandbox.store.users.map(({ email }) => email)).to.deep.equal(addresses);
  });

  for (const [what, parameters, name] of [
    ['a user id with a blank', { userId: 'a b' }, 'userId'],
    ['a user id of 37 characters', { userId: 'a'.repeat(37) }, 'userId'],
    ['a user id that begins with a dot', { userId: '.a' }, 'userId'],
    ['an address without a host', { email: 'ada' }, 'email'],
    ['an address with a blank', { email: 'a da@example.org' }, 'email'],
    ['an empty url', { url: '' }, 'url'],
    ['a url without a scheme', { url: 'localhost/login' }, 'url'],
    ['a url of another scheme', { url: 'javascript://localhost/%0aalert(1)' }, 'url'],
    ['a host that is not the project’s', { url: 'http://evil.example/login' }, 'url'],
    ['another loopback address', { url: 'http://127.0.0.2/login' }, 'url'],
    ['localhost with a dot', { url: 'http://localhost./login' }, 'url'],
  ] as const) {
    it(`is refused for ${what}, and creates no user`, async () => {
      const error = await exceptionOf(ask(parameters));

      expect(error).to.include({ code: 400, type: 'general_argument_invalid' });
      expect(error.message).to.match(new RegExp(`^Invalid \`${name}\` param:`));
      expect(sandbox.store.users).to.deep.equal([]);
    });
  }

  for (const url of [
    'http://localhost/login',
    'https://LOCALHOST:8443/a/b',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
  ]) {
    it(`may point to ${url}`, async () => {
      expect((await ask({ url })).secret).to.have.length(64);
    });
  }
});
