import { expect } from 'chai';
import { EndedSessions } from '../../../../src/services/auth/ended-sessions.js';
import { MemoryKeyValueStore } from '../../../../src/services/auth/key-value-store.js';
import { LinkUses } from '../../../../src/services/auth/link-uses.js';

const MORE_THAN_KEPT = 10_001;
const HOUR_MS = 3_600_000;
const inMemory = (): MemoryKeyValueStore => new MemoryKeyValueStore();

describe('LinkUses', () => {
  it('LOGIN-05: remembers 10,000 used links, and forgets the oldest first', async () => {
    const links = new LinkUses(inMemory);
    for (let index = 0; index < MORE_THAN_KEPT; index += 1) {
      const reservation = await links.reserve('ada', `secret-${index}`);
      await reservation?.use();
    }

    expect(await links.isUsed('ada', 'secret-0')).to.equal(false);
    expect(await links.isUsed('ada', 'secret-1')).to.equal(true);
  });

  it('LOGIN-05: reserves a link for one caller at a time, and again after a release', async () => {
    const links = new LinkUses(inMemory);
    const first = await links.reserve('ada', 'secret');

    expect(await links.reserve('ada', 'secret')).to.equal(undefined);
    await first?.release();
    expect(await links.reserve('ada', 'secret')).to.not.equal(undefined);
    expect(await links.reserve('eve', 'secret')).to.not.equal(undefined);
  });
});

describe('EndedSessions', () => {
  const now = new Date('2026-11-20T20:00:00Z');

  it('SESS-03: remembers 10,000 ended sessions, and retries no more than that', async () => {
    const identity = { deleteUserSession: async () => undefined };
    const ended = new EndedSessions(identity, inMemory(), HOUR_MS, () => now);
    for (let index = 0; index < MORE_THAN_KEPT; index += 1) await ended.add(`s${index}`, 'ada', false);

    expect(await ended.has('s0')).to.equal(false);
    expect(await ended.has('s1')).to.equal(true);
    expect(ended.pendingCount).to.equal(10_000);
    await ended.add('confirmed', 'ada', true);
    expect(ended.pendingCount, 'none is dropped for a confirmed one').to.equal(10_000);
  });

  it('SESS-03: retries an end that could not be confirmed, after a pause', async () => {
    let time = now.getTime();
    const asked: string[] = [];
    const identity = {
      deleteUserSession: async (_userId: string, sessionId: string) => {
        asked.push(sessionId);
        if (asked.length === 1) throw new Error('down');
      },
    };
    const ended = new EndedSessions(identity, inMemory(), HOUR_MS, () => new Date(time));
    await ended.add('s1', 'ada', false);

    await ended.confirmOne();
    await ended.confirmOne();
    expect([asked, ended.pendingCount, await ended.isConfirmed('s1')]).to.deep.equal([['s1'], 1, false]);

    time += 15_000;
    await ended.confirmOne();
    expect([asked, ended.pendingCount, await ended.isConfirmed('s1')]).to.deep.equal([['s1', 's1'], 0, true]);
    expect(await ended.has('s1')).to.equal(true);
  });

  it('SESS-03: does not let one session that cannot be ended block the others', async () => {
    let time = now.getTime();
    const asked: string[] = [];
    const identity = {
      deleteUserSession: async (_userId: string, sessionId: string) => {
        asked.push(sessionId);
        if (sessionId === 's1') throw new Error('down');
      },
    };
    const ended = new EndedSessions(identity, inMemory(), HOUR_MS, () => new Date(time));
    await ended.confirmOne();
    for (const sessionId of ['s1', 's2', 's3']) await ended.add(sessionId, 'ada', false);

    for (let times = 0; times < 4; times += 1) {
      await ended.confirmOne();
      time += 15_000;
    }

    expect(asked).to.deep.equal(['s1', 's2', 's3', 's1']);
    expect(ended.pendingCount).to.equal(1);
  });

  it('SESS-03: refuses the sessions ended here even if a shared store is unavailable', async () => {
    const store = inMemory();
    store.get = () => Promise.reject(new Error('down'));
    const ended = new EndedSessions({ deleteUserSession: async () => undefined }, store, HOUR_MS, () => now);
    await ended.add('pending', 'ada', false);
    await ended.add('confirmed', 'ada', true);

    expect([await ended.has('pending'), await ended.has('confirmed')]).to.deep.equal([true, false]);
  });
});
