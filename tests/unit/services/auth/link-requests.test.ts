import { expect } from 'chai';
import { createHash } from 'node:crypto';
import {
  isCode,
  keepCode,
  LinkRequests,
  newDeviceCode,
} from '../../../../src/services/auth/link-requests.js';
import { rejection } from '../../../support/rejection.js';
import { WatchedStore } from './watched-store.js';

const LIFE_MS = 600_000;
const BROWSER = Buffer.alloc(32, 1);
const NOTE = { phrase: 'Amber lantern', device: 'Firefox on Linux', askedAt: 0 };
const LINK = { userId: 'ada', secret: 'SENTINEL', st: 'state' };

describe('LinkRequests', () => {
  let clock: { now: number };
  let stores: Map<string, WatchedStore>;
  let requests: LinkRequests;

  beforeEach(() => {
    [clock, stores] = [{ now: 0 }, new Map()];
    const create = (kind: string) => {
      const store = new WatchedStore();
      stores.set(kind, store);
      return store;
    };
    requests = new LinkRequests(create, LIFE_MS, () => new Date(clock.now));
  });
  const codes = () => stores.get('link-code')?.written ?? [];
  const leave = () => stores.forEach((store) => (store.isAway = true));

  it('AUTH-08: remembers a request for the lifetime of its link', async () => {
    await requests.remember(BROWSER, NOTE);

    clock.now = LIFE_MS;
    expect(await requests.find(BROWSER)).to.deep.equal(NOTE);
    clock.now = LIFE_MS + 1;
    expect(await requests.find(BROWSER)).to.equal(undefined);
    clock.now = 0;
    expect(await requests.find(BROWSER), 'forgotten when it was found to be too old').to.equal(undefined);
    expect(stores.get('link-request')?.written).to.deep.equal([
      [BROWSER.toString('base64url'), JSON.stringify(NOTE), LIFE_MS],
    ]);
  });

  it('AUTH-08: finds nothing for a browser that requested no link', async () => {
    await requests.remember(BROWSER, NOTE);

    expect(await requests.find(undefined)).to.equal(undefined);
    expect(await requests.find(Buffer.alloc(32, 2))).to.equal(undefined);
  });

  it('RATE-06: lets a sign-in go on without the details while the store is away', async () => {
    leave();

    await requests.remember(BROWSER, NOTE);
    expect(await requests.find(BROWSER)).to.equal(undefined);
    expect(await rejection(requests.showCode(BROWSER, LINK))).to.have.property('message', 'away');
    expect(await rejection(requests.tryCode(BROWSER, 'BBBB-BBBB'))).to.have.property('message', 'away');
  });

  it('AUTH-05: stores a shown code only as a digest, with its link, for the lifetime of the link', async () => {
    await requests.remember(BROWSER, NOTE);
    const shown = await requests.showCode(BROWSER, LINK);

    expect(shown).to.deep.include(NOTE);
    const [[name = '', value = '', ttlMs] = []] = codes();
    expect([name, ttlMs]).to.deep.equal([BROWSER.toString('base64url'), LIFE_MS]);
    const kept = JSON.parse(value) as Record<string, string>;
    expect(kept.link).to.deep.equal(LINK);
    expect([kept.salt, kept.digest].map((text = '') => Buffer.from(text, 'base64').length)).to.deep.equal([
      16, 32,
    ]);
    expect(value).to.not.include(shown?.code).and.not.include(shown?.code.replace('-', ''));
  });

  it('LOGIN-15: shows a code only for a known request', async () => {
    expect(await requests.showCode(BROWSER, LINK)).to.equal(undefined);
    expect(codes()).to.deep.equal([]);
  });

  it('LOGIN-15: tells a right code from a wrong one, and returns its link', async () => {
    await requests.remember(BROWSER, NOTE);
    const { code = '' } = (await requests.showCode(BROWSER, LINK)) ?? {};

    expect(await requests.tryCode(BROWSER, 'BBBB-BBBB')).to.deep.equal({ kind: 'wrong' });
    expect(await requests.tryCode(undefined, code)).to.deep.equal({ kind: 'wrong' });
    expect(await requests.tryCode(Buffer.alloc(32, 2), code)).to.deep.equal({ kind: 'wrong' });
    expect(await requests.tryCode(BROWSER, code)).to.deep.equal({ kind: 'right', link: LINK });
  });

  it('LOGIN-15: ends the request with the fifth wrong code, and accepts none after it', async () => {
    await requests.remember(BROWSER, NOTE);
    const { code = '' } = (await requests.showCode(BROWSER, LINK)) ?? {};
    const outcomes = [];
    for (let times = 0; times < 5; times += 1) outcomes.push(await requests.tryCode(BROWSER, 'BBBB-BBBB'));

    const wrong = { kind: 'wrong' };
    expect(outcomes).to.deep.equal([wrong, wrong, wrong, wrong, { kind: 'used-up', link: LINK }]);
    await requests.remember(BROWSER, NOTE);
    expect(await requests.tryCode(BROWSER, code), 'even if the same browser asks again').to.deep.equal(wrong);
  });

  it('LOGIN-15: has no link to end if no code was shown', async () => {
    await requests.remember(BROWSER, NOTE);
    for (let times = 0; times < 4; times += 1) await requests.tryCode(BROWSER, 'BBBB-BBBB');

    expect(await requests.tryCode(BROWSER, 'BBBB-BBBB')).to.deep.equal({ kind: 'used-up', link: undefined });
  });

  it('LOGIN-15: forgets the code together with the request', async () => {
    await requests.remember(BROWSER, NOTE);
    const { code = '' } = (await requests.showCode(BROWSER, LINK)) ?? {};
    await requests.forget(BROWSER);

    await requests.remember(BROWSER, NOTE);
    expect(await requests.tryCode(BROWSER, code)).to.deep.equal({ kind: 'wrong' });
  });

  it('LOGIN-15: accepts no code after the lifetime of its link', async () => {
    await requests.remember(BROWSER, NOTE);
    const { code = '' } = (await requests.showCode(BROWSER, LINK)) ?? {};
    clock.now = LIFE_MS + 1;

    expect(await requests.tryCode(BROWSER, code)).to.deep.equal({ kind: 'wrong' });
  });
});

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
