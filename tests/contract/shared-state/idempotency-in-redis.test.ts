import { expect } from 'chai';
import { createClient } from '@redis/client';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import type { IdempotentResult } from '../../../src/services/idempotency/idempotency-store.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { rejection } from '../../support/rejection.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const OUTCOME: IdempotentResult = {
  sha256: 'abc',
  bodyBytes: 12,
  isWholeBody: true,
  outcome: { kind: 'stored', count: 3, batches: 1 },
};

describeWith(['redis'], 'Idempotency keys in Redis', () => {
  let server: RedisServer;
  let shared: SharedState;

  before(async () => {
    server = await RedisServer.start();
  });
  after(() => server.dispose());
  beforeEach(async () => {
    shared = await SharedState.connect({ url: server.url, secret: 'a secret', timeoutMs: 20_000 });
  });
  afterEach(() => shared.close());

  const store = () => shared.idempotencyStore<IdempotentResult>();

  /** Returns the times to live of all keys, in milliseconds, except the signs of life of replicas. */
  async function timesToLive(): Promise<number[]> {
    const client = await createClient({ url: server.url }).connect();
    const types = await Promise.all(
      (await client.keys('*')).map(async (key) => [key, await client.type(key)]),
    );
    const hashes = types.filter(([, type]) => type === 'hash').map(([key = '']) => key);
    const times = await Promise.all(hashes.map((key) => client.pTTL(key)));
    client.destroy();
    return times;
  }

  it('UP-07: takes back a key that this process reserved without learning of it', async () => {
    // A second store of the same process knows nothing of the first one's keys, as after a lost answer.
    expect(await store().reserve('lost answer')).to.deep.equal({ state: 'reserved' });

    const keys = store();
    expect(await keys.reserve('lost answer')).to.deep.equal({ state: 'reserved' });
    expect(await keys.reserve('lost answer')).to.deep.equal({ state: 'running' });
  });

  it('UP-07: does not take the key of another process', async () => {
    await store().reserve('of another');
    const other = await SharedState.connect({ url: server.url, secret: 'a secret', timeoutMs: 20_000 });

    expect(await other.idempotencyStore().reserve('of another')).to.deep.equal({ state: 'running' });
    await other.close();
  });

  it('UP-07: marks, completes and releases only keys that this process holds', async () => {
    await store().reserve('held elsewhere');
    const keys = store();

    expect(await rejection(keys.markOnce('held elsewhere'))).to.have.property(
      'code',
      'idempotency_key_in_use',
    );
    await keys.complete('held elsewhere', OUTCOME);
    await keys.release('held elsewhere');
    await keys.complete('unknown', OUTCOME);

    const other = await SharedState.connect({ url: server.url, secret: 'a secret', timeoutMs: 20_000 });
    const others = other.idempotencyStore<IdempotentResult>();
    expect(await others.reserve('held elsewhere')).to.deep.equal({ state: 'running' });
    expect(await others.reserve('unknown')).to.deep.equal({ state: 'reserved' });
    await other.close();
  });

  it('UP-07: does not complete or release a key that has been reserved again since', async () => {
    const [first, second] = [store(), store()];
    await first.reserve('again');
    await second.reserve('again');

    await first.complete('again', { ...OUTCOME, sha256: 'of the first' });
    await first.release('again');
    const other = await SharedState.connect({ url: server.url, secret: 'a secret', timeoutMs: 20_000 });
    const others = other.idempotencyStore<IdempotentResult>();
    expect(await others.reserve('again')).to.deep.equal({ state: 'running' });

    await second.complete('again', OUTCOME);
    expect(await others.reserve('again')).to.deep.equal({ state: 'done', result: OUTCOME });
    await other.close();
  });

  it('UP-07: treats an outcome that it cannot read as lost', async () => {
    const keys = store();
    await keys.reserve('damaged');
    await keys.complete('damaged', OUTCOME);
    const client = await createClient({ url: server.url }).connect();
    for (const key of await client.keys('*')) {
      if ((await client.type(key)) === 'hash') await client.hSet(key, 'result', 'nonsense');
    }
    client.destroy();

    expect(await keys.reserve('damaged')).to.deep.equal({ state: 'lost' });
  });

  it('UP-07: keeps a key and its outcome for a day', async () => {
    const client = await createClient({ url: server.url }).connect();
    await client.flushAll();
    client.destroy();
    const keys = store();

    await keys.reserve('for a day');
    const [reservedMs = 0] = await timesToLive();
    await keys.complete('for a day', OUTCOME);
    const [keptMs = 0] = await timesToLive();

    for (const time of [reservedMs, keptMs]) expect(time).to.be.within(DAY_MS - 600_000, DAY_MS);
  });
});
