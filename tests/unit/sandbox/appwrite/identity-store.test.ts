import { expect } from 'chai';
import { IdentityStore } from '../../../../src/sandbox/appwrite/identity-store.js';

const YEAR = 365 * 24 * 3_600_000;

describe('The store of the Appwrite sandbox', () => {
  it('keeps no expired links and sessions, however long it runs', () => {
    let now = Date.parse('2026-11-20T20:00:00Z');
    const store = new IdentityStore(() => new Date(now));
    for (let person = 0; person < 50; person += 1) {
      const { id } = store.addUser(`person_${person}`, `person.${person}@example.org`);
      store.addToken(id);
      store.addSession(id, 'Firefox');
      now += YEAR;
    }

    expect(store.size).to.equal(2);
  });

  it('keeps the newest 10,000 accounts, with their links', () => {
    const store = new IdentityStore(() => new Date());
    for (let person = 0; person <= 10_000; person += 1) {
      store.addUser(`person_${person}`, `person.${person}@example.org`);
      if (person < 2) store.addToken(`person_${person}`);
    }

    expect([store.users.length, store.users[0]?.id, store.size]).to.deep.equal([10_000, 'person_1', 1]);
  });

  it('keeps a link until its last moment', () => {
    let now = Date.parse('2026-11-20T20:00:00Z');
    const store = new IdentityStore(() => new Date(now));
    store.addUser('ada', 'ada@example.org');
    const { secret } = store.addToken('ada');
    now += 3_600_000;
    store.addToken('ada');

    expect(store.takeToken('ada', secret).id).to.equal('ada');
  });
});
