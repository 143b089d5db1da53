import { expect } from 'chai';
import { LinkUses } from '../../../../src/services/auth/link-uses.js';
import { MemoryKeyValueStore } from '../../../../src/services/auth/key-value-store.js';

const SESSION = { id: 's1', userId: 'ada', secret: 'secret', expire: '2027-11-20T20:00:00Z' };

describe('LinkUses', () => {
  let stores: Map<string, MemoryKeyValueStore>;
  let links: LinkUses;

  beforeEach(() => {
    stores = new Map();
    links = new LinkUses((kind) => {
      const store = new MemoryKeyValueStore();
      stores.set(kind, store);
      return store;
    });
  });

  it('LOGIN-09: keeps the session of an attempt that broke off until the link is used', async () => {
    await (await links.reserve('ada', 'secret'))?.release(SESSION);
    await (await links.reserve('ada', 'secret'))?.release();

    const third = await links.reserve('ada', 'secret');
    expect(third?.session).to.deep.equal(SESSION);
    expect((await links.reserve('ada', 'another'))?.session).to.equal(undefined);

    await third?.use();
    expect(await links.isUsed('ada', 'secret')).to.equal(true);
    expect(await links.reserve('ada', 'secret')).to.equal(undefined);
  });

  it('LOGIN-09: goes on without that session if it cannot be read', async () => {
    await (await links.reserve('ada', 'secret'))?.release({ ...SESSION, expire: 7 as unknown as string });
    const unreadable = await links.reserve('ada', 'secret');
    expect(unreadable?.session).to.equal(undefined);
    await unreadable?.release(SESSION);

    const broken = stores.get('link-session') ?? new MemoryKeyValueStore();
    broken.get = () => Promise.reject(new Error('away'));
    expect((await links.reserve('ada', 'secret'))?.session).to.equal(undefined);
  });

  it('LOGIN-05: does not release the reservation of a later caller', async () => {
    const first = await links.reserve('ada', 'secret');
    await first?.release();
    await links.reserve('ada', 'secret');
    await first?.release(); // again, too late

    expect(await links.reserve('ada', 'secret')).to.equal(undefined);
  });

  it('LOGIN-05: does not consider a link used that is in use', async () => {
    await links.reserve('ada', 'secret');

    expect(await links.isUsed('ada', 'secret')).to.equal(false);
    expect(await links.isUsed('ada', 'never seen')).to.equal(false);
  });

  it('LOGIN-06, LOGIN-07: remembers when links were requested and used', async () => {
    await links.rememberIssue('2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b', 5);
    await links.rememberSignIn('ada', 7);

    expect(await links.issueOf('secret')).to.equal(5);
    expect(await links.issueOf('another')).to.equal(undefined);
    expect(await links.lastSignInOf('ada')).to.equal(7);
    expect(await links.lastSignInOf('eve')).to.equal(undefined);
  });
});
