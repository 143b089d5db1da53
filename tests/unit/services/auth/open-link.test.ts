import { expect } from 'chai';
import type { Auth, LinkCheck } from '../../../../src/services/auth/auth-types.js';
import { openLink, type LinkRequest } from '../../../../src/services/auth/open-link.js';
import { MemoryCookies } from '../../../support/memory-cookies.js';
import { rejection } from '../../../support/rejection.js';

const LINK = { userId: 'ada', secret: 'secret', st: 'state' };
const PLAIN: LinkCheck = { isBound: true, isConfirmNeeded: false };

/** Opens links, of which `check` is known, and records how links are checked and used. */
function start(check: LinkCheck = PLAIN) {
  const calls: unknown[][] = [];
  const auth = {
    checkLink: async (...args: unknown[]) => {
      calls.push(['checkLink', ...args]);
      return check;
    },
    login: async (...args: unknown[]) => {
      calls.push(['login', ...args]);
    },
  };
  const cookies = new MemoryCookies();
  const request: LinkRequest = { cookies, isRead: false, acceptsPage: true, userAgent: 'Firefox/150' };
  const open = (link: Partial<typeof LINK>, asked: LinkRequest) =>
    openLink(auth as unknown as Auth, link, asked);
  return { calls, cookies, request, open };
}

describe('openLink', () => {
  it('asks for an address if the request has no link', async () => {
    const { calls, open, request } = start();

    expect(await open({}, request)).to.equal('ask-address');
    expect(await open({ st: 'state' }, { ...request, isRead: true })).to.equal('ask-address');
    expect(calls).to.deep.equal([]);
  });

  it('LOGIN-01, LOGIN-02: does nothing with a link that no person opened', async () => {
    const { calls, open, request } = start();

    for (const link of [LINK, { userId: 'ada' }, { secret: 'secret' }]) {
      expect(await open(link, { ...request, isRead: true })).to.equal('nothing');
    }
    expect(calls).to.deep.equal([]);
  });

  it('LOGIN-08: refuses half a link like any other that cannot be used', async () => {
    const { calls, open, request } = start();

    for (const link of [{ userId: 'ada' }, { secret: 'secret' }]) {
      expect(await rejection(open(link, request))).to.have.property('code', 'sign_in_failed');
    }
    expect(calls).to.deep.equal([]);
  });

  it('signs in at once with a link that needs no confirmation', async () => {
    const { calls, open, cookies, request } = start();

    expect(await open(LINK, request)).to.equal('signed-in');

    const options = { st: 'state', userAgent: 'Firefox/150' };
    expect(calls).to.deep.equal([
      ['checkLink', 'ada', 'secret', cookies, options],
      ['login', 'ada', 'secret', cookies, options],
    ]);
  });

  it('returns what has to be confirmed, without using the link', async () => {
    const otherDevice = {
      phrase: 'Amber lantern',
      device: 'Firefox on Linux',
      askedAt: '2026-11-20T20:00:00Z',
    };
    const accountSwitch = { account: 'a***@example.org' };
    for (const more of [{}, { otherDevice }, { accountSwitch }, { otherDevice, accountSwitch }]) {
      const { calls, open, request } = start({ isBound: false, isConfirmNeeded: true, ...more });

      expect(await open(LINK, request)).to.deep.equal({ confirm: LINK, ...more });
      expect(calls.map(([name]) => name)).to.deep.equal(['checkLink']);
    }
  });

  it('refuses to switch accounts if the client cannot be shown a page', async () => {
    const { calls, open, request } = start({ isBound: true, isConfirmNeeded: true, accountSwitch: {} });

    const error = await rejection(open(LINK, { ...request, acceptsPage: false }));

    expect(error).to.have.property('code', 'other_account_signed_in');
    expect(calls.map(([name]) => name)).to.deep.equal(['checkLink']);
  });

  it('asks a client for confirmation if only that is needed, even if it cannot be shown a page', async () => {
    const { open, request } = start({ isBound: false, isConfirmNeeded: true });

    expect(await open(LINK, { ...request, acceptsPage: false })).to.deep.equal({ confirm: LINK });
  });
});
