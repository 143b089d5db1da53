import { expect } from 'chai';
import type { AccountLookup } from '../../../../src/gateways/appwrite/identity-types.js';
import { compileDomainRule } from '../../../../src/services/auth/address/domain-rule.js';
import { SessionChecks } from '../../../../src/services/auth/session-checks.js';
import type { SessionTicket } from '../../../../src/services/auth/browser-cookies.js';
import { WatchedStore } from './watched-store.js';

const BELIEVED_MS = 30_000;

const ticket = (sessionId: string): SessionTicket => ({
  sessionId,
  userId: 'ada',
  secret: `secret of ${sessionId}`,
  authenticatedAt: 0,
  expiresAt: 0,
  seenAt: 0,
});

describe('SessionChecks', () => {
  let clock: { now: number };
  let store: WatchedStore;
  /** The secrets that the identity backend was asked about. */
  let asked: string[];
  let answer: AccountLookup;

  beforeEach(() => {
    [clock, store, asked] = [{ now: 0 }, new WatchedStore(), []];
    answer = account({});
  });

  function account(more: object): AccountLookup {
    const known = { id: 'ada', email: 'ada@example.org', isEnabled: true, isEmailVerified: true };
    return { kind: 'active', account: { ...known, ...more } };
  }

  function start(believedMs = BELIEVED_MS): SessionChecks {
    const identity = {
      getAccount: async (secret: string) => {
        asked.push(secret);
        return answer;
      },
    };
    const domains = compileDomainRule('example\\.org');
    return new SessionChecks(identity, domains, store, believedMs, () => new Date(clock.now));
  }

  it('SESS-07: asks once for each session, and again when the answer has expired', async () => {
    const checks = start();

    for (const [now, sessionId] of [
      [0, 's1'],
      [BELIEVED_MS - 1, 's1'],
      [BELIEVED_MS - 1, 's2'],
      [BELIEVED_MS, 's1'],
      [BELIEVED_MS, 's2'],
    ] as const) {
      clock.now = now;
      expect(await checks.addressOf(ticket(sessionId))).to.equal('ada@example.org');
    }

    expect(asked).to.deep.equal(['secret of s1', 'secret of s2', 'secret of s1']);
    expect(store.written.map(([name, , ttlMs]) => [name, ttlMs])).to.deep.equal(
      Array.from({ length: 3 }, () => ['ada', BELIEVED_MS]),
    );
  });

  it('SESS-07: believes an answer from the moment it was asked for', async () => {
    const checks = start();
    // The answer takes as long as it is believed.
    answer = Object.defineProperty(account({}), 'kind', {
      get: () => {
        clock.now = BELIEVED_MS;
        return 'active';
      },
    });
    await checks.addressOf(ticket('s1'));
    answer = account({});
    await checks.addressOf(ticket('s1'));

    expect(asked).to.have.length(2);
  });

  it('SESS-07: asks every time if nothing is to be cached', async () => {
    const checks = start(0);

    await checks.addressOf(ticket('s1'));
    await checks.addressOf(ticket('s1'));

    expect([asked.length, store.written]).to.deep.equal([2, []]);
  });

  it('SESS-07: asks again once the checks of the person are discarded', async () => {
    const checks = start();
    await checks.addressOf(ticket('s1'));
    await checks.forget('ada');
    await checks.addressOf(ticket('s1'));

    expect(asked).to.have.length(2);
  });

  it('SESS-07: caches the checks of the last ten sessions of a person', async () => {
    const checks = start();
    for (let session = 0; session <= 10; session += 1) await checks.addressOf(ticket(`s${session}`));
    const [, kept = ''] = store.written.at(-1) ?? [];

    expect(Object.keys(JSON.parse(kept) as object)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => `s${index + 1}`),
    );
  });

  it('RATE-06: asks every time while the store is away', async () => {
    const checks = start();
    store.isAway = true;

    expect(await checks.addressOf(ticket('s1'))).to.equal('ada@example.org');
    expect(await checks.addressOf(ticket('s1'))).to.equal('ada@example.org');
    expect(asked).to.have.length(2);
  });

  it('SESS-06: does not believe a cached value that is not an address', async () => {
    await store.set('ada', JSON.stringify({ s1: { email: 'nonsense', at: 0 } }), BELIEVED_MS);

    expect(await start().addressOf(ticket('s1'))).to.equal('ada@example.org');
    expect(asked).to.have.length(1);
  });

  it('SESS-06, MAIL-08: accepts only an enabled account of the person, with an allowed address, and caches no refusal', async () => {
    const checks = start();
    for (const refused of [
      { kind: 'no-session' } as const,
      account({ isEnabled: false }),
      account({ id: 'eve' }),
      account({ email: 'ada@removed.org' }),
      account({ email: 'nonsense' }),
    ]) {
      answer = refused;
      expect(await checks.addressOf(ticket('s1'))).to.equal(undefined);
    }
    expect([asked.length, store.written]).to.deep.equal([5, []]);
  });
});
