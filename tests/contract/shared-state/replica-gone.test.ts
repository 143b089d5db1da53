import { expect } from 'chai';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import type { IdempotentResult } from '../../../src/services/idempotency/idempotency-store.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

const OUTCOME: IdempotentResult = {
  sha256: 'abc',
  bodyBytes: 12,
  isWholeBody: true,
  outcome: { kind: 'stored', count: 3, batches: 1 },
};

describeWith(['redis'], 'The idempotency keys of a replica that has stopped', () => {
  let server: RedisServer;
  let other: SharedState;

  before(async () => {
    server = await RedisServer.start();
    other = await connect();
  });
  after(async () => {
    await other.close();
    await server.dispose();
  });

  function connect(): Promise<SharedState> {
    return SharedState.connect({ url: server.url, secret: 'a secret', timeoutMs: 20_000 });
  }

  it('SHARE-05: are released after a while, unless the work must not run twice', async () => {
    const gone = await connect();
    const keys = gone.idempotencyStore<IdempotentResult>();
    for (const key of ['repeatable', 'once', 'done']) await keys.reserve(key);
    await keys.markOnce('once');
    await keys.markOnce('done');
    await keys.complete('done', OUTCOME);
    await gone.close();

    const others = other.idempotencyStore<IdempotentResult>();
    expect(await others.reserve('done')).to.deep.equal({ state: 'done', result: OUTCOME });
    // The replica may only have lost its connection, so nothing is released before it had time to return.
    for (const key of ['repeatable', 'once', 'repeatable', 'once']) {
      expect(await others.reserve(key), key).to.deep.equal({ state: 'running' });
    }

    const next = async (key: string) =>
      until(async () => {
        const { state } = await others.reserve(key);
        return state === 'running' ? undefined : state;
      });
    expect(await Promise.all([next('repeatable'), next('once')])).to.deep.equal(['reserved', 'lost']);
    expect(await others.reserve('once')).to.deep.equal({ state: 'lost' });
  });

  it('SHARE-05: stay with a live replica, however long it takes', async () => {
    const living = await connect();
    await living.idempotencyStore<IdempotentResult>().reserve('slow');
    const others = other.idempotencyStore<IdempotentResult>();

    for (let tries = 0; tries < 20; tries += 1) {
      expect(await others.reserve('slow')).to.deep.equal({ state: 'running' });
    }
    await living.close();
  });
});
