import { expect } from 'chai';
import { EndedSessions } from '../../../../src/services/auth/ended-sessions.js';
import { LinkUses } from '../../../../src/services/auth/link-uses.js';

const MORE_THAN_KEPT = 10_001;

describe('LinkUses', () => {
  it('LOGIN-05: remembers 10,000 used links and forgets the oldest first', () => {
    const links = new LinkUses();
    for (let index = 0; index < MORE_THAN_KEPT; index += 1) links.reserve('ada', `secret-${index}`)?.use();

    expect(links.isUsed('ada', 'secret-0')).to.equal(false);
    expect(links.isUsed('ada', 'secret-1')).to.equal(true);
  });

  it('LOGIN-05: a link that was given back can be taken again, one hand at a time', () => {
    const links = new LinkUses();
    const first = links.reserve('ada', 'secret');

    expect(links.reserve('ada', 'secret')).to.equal(undefined);
    first?.release();
    expect(links.reserve('ada', 'secret')).to.not.equal(undefined);
    expect(links.reserve('eve', 'secret')).to.not.equal(undefined);
  });
});

describe('EndedSessions', () => {
  const now = new Date('2026-11-20T20:00:00Z');

  it('SESS-03: remembers 10,000 ended sessions, and waits for no more', () => {
    const ended = new EndedSessions({ deleteUserSession: async () => undefined }, () => now);
    for (let index = 0; index < MORE_THAN_KEPT; index += 1) ended.add(`s${index}`, 'ada', false);

    expect(ended.has('s0')).to.equal(false);
    expect(ended.has('s1')).to.equal(true);
    expect(ended.pendingCount).to.equal(10_000);
  });

  it('SESS-03: tries again later when the end cannot be confirmed, and not in a rush', async () => {
    let time = now.getTime();
    const asked: string[] = [];
    const identity = {
      deleteUserSession: async (_userId: string, sessionId: string) => {
        asked.push(sessionId);
        if (asked.length === 1) throw new Error('down');
      },
    };
    const ended = new EndedSessions(identity, () => new Date(time));
    ended.add('s1', 'ada', false);

    await ended.confirmOne();
    await ended.confirmOne();
    expect([asked, ended.pendingCount, ended.isConfirmed('s1')]).to.deep.equal([['s1'], 1, false]);

    time += 15_000;
    await ended.confirmOne();
    expect([asked, ended.pendingCount, ended.isConfirmed('s1')]).to.deep.equal([['s1', 's1'], 0, true]);
    expect(ended.has('s1')).to.equal(true);
  });
});
