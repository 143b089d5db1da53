import { expect } from 'chai';
import { AuthJournal, type AuthEvent } from '../../../../src/services/auth/auth-event.js';
import { Pseudonyms } from '../../../../src/services/pseudonyms.js';

const PSEUDONYMS = new Pseudonyms(Buffer.alloc(32, 1));
const clock = (): Date => new Date('2026-11-20T20:00:00Z');

describe('AuthJournal', () => {
  it('LOG-04: writes the kind, the time, a pseudonym and the reason of an event, as far as given', () => {
    const events: AuthEvent[] = [];
    const journal = new AuthJournal(PSEUDONYMS, clock, (event) => events.push(event));

    journal.write('session.created', 'ada');
    journal.write('link.refused', 'ada@example.org', 'domain');
    journal.write('code.failed', undefined, 'wrong');

    const at = '2026-11-20T20:00:00.000Z';
    expect(events).to.deep.equal([
      { type: 'session.created', at, actor: PSEUDONYMS.of('ada') },
      { type: 'link.refused', at, actor: PSEUDONYMS.of('ada@example.org'), reason: 'domain' },
      { type: 'code.failed', at, reason: 'wrong' },
    ]);
  });

  it('needs no listener, and ignores the errors of one', () => {
    const failing = (): never => {
      throw new Error('The disk is full.');
    };

    for (const listener of [undefined, failing]) {
      new AuthJournal(PSEUDONYMS, clock, listener).write('session.created', 'ada');
    }
  });
});
