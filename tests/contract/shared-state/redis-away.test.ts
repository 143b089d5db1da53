import { expect } from 'chai';
import { SharedStateUnavailableError } from '../../../src/domain/errors/operator-errors.js';
import { SYSTEM_CLOCK } from '../../../src/gateways/redcap/resilience/clock.js';
import type { SharedStateStatus } from '../../../src/gateways/redis/redis-connection.js';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import type { IdempotentResult } from '../../../src/services/idempotency/idempotency-store.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { rejection } from '../../support/rejection.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;
const OUTCOME: IdempotentResult = {
  sha256: 'abc',
  bodyBytes: 12,
  isWholeBody: true,
  outcome: { kind: 'stored', count: 3, batches: 1 },
};

describeWith(['redis'], 'A service whose Redis becomes unavailable', () => {
  let server: RedisServer;
  let open: SharedState[];
  let changes: SharedStateStatus[];

  beforeEach(async () => {
    server = await RedisServer.start();
    open = [];
    changes = [];
  });
  afterEach(async () => {
    server.resume();
    await Promise.all(open.map((shared) => shared.close()));
    await server.dispose();
  });

  async function connect(timeoutMs = 300): Promise<SharedState> {
    const shared = await SharedState.connect({
      url: server.url,
      secret: 'a secret',
      timeoutMs,
      onChange: (status) => changes.push(status),
    });
    open.push(shared);
    return shared;
  }

  const isBack = (shared: SharedState): Promise<true> => until(() => shared.status.isUp || undefined);

  it('SHARE-02, SHARE-03: times out on a paused Redis, and uses it again when it answers', async () => {
    const shared = await connect();
    const store = shared.limitStore({ name: 'test', windowMs: HOUR_MS });
    await store.increment('ada');

    server.pause();
    const refused = await rejection(store.increment('ada'));
    // This write is not even sent, because Redis would count it on its return.
    const refusedAtOnce = await rejection(store.increment('ada'));
    await rejection(store.increment('ada'));

    for (const error of [refused, refusedAtOnce]) {
      expect(error).to.be.instanceOf(SharedStateUnavailableError).and.to.have.property('reason', 'timeout');
    }
    expect(shared.status).to.include({ isUp: false, reason: 'timeout', outages: 1, failedCommands: 3 });

    server.resume();
    await isBack(shared);
    expect((await store.increment('ada')).totalHits).to.be.within(2, 3);
    expect(changes.map(({ isUp }) => isUp)).to.deep.equal([true, false, true]);
  });

  it('SHARE-03: times out on a Redis whose clients are paused', async () => {
    const shared = await connect();
    await server.command('CLIENT', 'PAUSE', '1500', 'ALL');

    expect(await rejection(shared.ping())).to.be.instanceOf(SharedStateUnavailableError);
    await isBack(shared);
    await shared.ping();
  });

  it('SHARE-02: reconnects to a Redis that is stopped and started', async () => {
    const shared = await connect();
    await server.stop();
    await until(async () => (await shared.ping().catch(() => 'away')) === 'away');
    await server.startAgain();

    await isBack(shared);
    await shared.ping();
  });

  it('SHARE-02: starts without Redis, and connects to it later', async () => {
    await server.stop();
    const shared = await connect();
    expect(shared.status.isUp).to.equal(false);
    expect(await rejection(shared.ping())).to.be.instanceOf(SharedStateUnavailableError);

    await server.startAgain();
    await isBack(shared);
  });

  it('SHARE-02: treats a Redis that accepts no writes as unavailable until it does', async () => {
    const shared = await connect();
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
    await server.command('CONFIG', 'SET', 'maxmemory', '1');

    const refused = await rejection(shared.keyValueStore('note').set('ada', 'text', HOUR_MS));
    expect(refused).to.have.property('reason', 'OOM');
    expect(shared.status.isUp).to.equal(false);

    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    await isBack(shared);
    await shared.keyValueStore('note').set('ada', 'text', HOUR_MS);
  });

  it('SHARE-05: applies pending writes and deletions once Redis is back', async () => {
    const shared = await connect();
    const store = shared.keyValueStore('note');
    await store.set('old', 'text', HOUR_MS);
    server.pause();
    await store.keep('new', 'text', HOUR_MS);
    await store.discard('old');
    expect(shared.status.owedWrites).to.equal(2);

    server.resume();
    await isBack(shared);
    await until(() => shared.status.owedWrites === 0);
    expect(await store.get('new')).to.equal('text');
    expect(await store.get('old')).to.equal(undefined);
  });

  it('SHARE-05: keeps a value that is newer than a pending write', async () => {
    const shared = await connect();
    const store = shared.keyValueStore('note');
    for (const name of ['kept', 'set']) await store.set(name, 'older', HOUR_MS);
    server.pause();
    await Promise.all(['kept', 'set', 'gone'].map((name) => store.discard(name)));
    await rejection(store.add('link', 'mine', HOUR_MS));
    await rejection(store.add('link', 'other', HOUR_MS));
    expect(shared.status.owedWrites).to.equal(5);
    await store.keep('kept', 'newer', HOUR_MS);
    expect(shared.status.owedWrites).to.equal(5);

    server.resume();
    await isBack(shared);
    await store.set('set', 'newer', HOUR_MS);
    await until(() => shared.status.owedWrites === 0);
    expect(await store.get('kept')).to.equal('newer');
    expect(await store.get('set')).to.equal('newer');
    expect(await store.get('link')).to.equal(undefined);
  });

  it('SHARE-05: makes writes in the order of the calls, also when Redis has forgotten the scripts', async () => {
    const store = (await connect()).keyValueStore('note');
    await store.set('ada', 'text', HOUR_MS);
    await server.command('SCRIPT', 'FLUSH');

    await Promise.all([store.delete('ada', 'text'), store.set('ada', 'text', HOUR_MS)]);

    expect(await store.get('ada')).to.equal('text');
  });

  it('LOGIN-09: frees a link that was reserved but not confirmed', async () => {
    const shared = await connect();
    const store = shared.keyValueStore('link-use');
    server.pause();
    await rejection(store.add('link', 'mine', HOUR_MS));

    server.resume();
    await isBack(shared);
    await until(() => store.add('link', 'mine', HOUR_MS));
  });

  it('UP-07: frees a key that was reserved but not confirmed', async () => {
    const [shared, other] = [await connect(), await connect(20_000)];
    const keys = shared.idempotencyStore<IdempotentResult>();
    server.pause();
    await rejection(keys.reserve('key'));

    server.resume();
    await isBack(shared);
    const others = other.idempotencyStore<IdempotentResult>();
    await until(async () => (await others.reserve('key')).state === 'reserved');
    expect(await keys.reserve('key')).to.deep.equal({ state: 'running' });
  });

  it('UP-07: knows an unwritten outcome here immediately, and everywhere once Redis is back', async () => {
    const [shared, other] = [await connect(), await connect(20_000)];
    const keys = shared.idempotencyStore<IdempotentResult>();
    await keys.reserve('key');
    server.pause();
    await keys.complete('key', OUTCOME);
    expect(await keys.reserve('key')).to.deep.equal({ state: 'done', result: OUTCOME });

    server.resume();
    await isBack(shared);
    const others = other.idempotencyStore<IdempotentResult>();
    const answer = await until(async () => {
      const reservation = await others.reserve('key');
      return reservation.state === 'done' ? reservation : undefined;
    });
    expect(answer.result).to.deep.equal(OUTCOME);
  });

  it('UP-07: keeps a key that is running here, even if Redis has forgotten it', async () => {
    const [shared, other] = [await connect(), await connect()];
    const keys = shared.idempotencyStore<IdempotentResult>();
    await keys.reserve('key');
    await server.command('FLUSHALL');
    await server.stop();
    await until(async () => (await shared.ping().catch(() => 'away')) === 'away');
    await server.startAgain();
    await Promise.all([isBack(shared), isBack(other)]);

    const others = other.idempotencyStore<IdempotentResult>();
    await until(async () => Number(await server.command('DBSIZE')) > 2);
    expect(await others.reserve('key')).to.deep.equal({ state: 'running' });
    expect(await keys.reserve('key')).to.deep.equal({ state: 'running' });
  });

  it('UP-05: gives each process its share of the rate limit, counting its earlier calls', async () => {
    const [shared, other] = [await connect(), await connect()];
    await until(async () => (await shared.ping(), shared.status.replicas === 2));
    const ceiling = shared.resilience.ceiling(10, SYSTEM_CLOCK);
    for (let calls = 0; calls < 3; calls += 1) await ceiling.take(undefined);
    await server.stop();
    await until(async () => (await shared.ping().catch(() => 'away')) === 'away');

    await ceiling.take(undefined);
    await ceiling.take(undefined);
    expect(await rejection(Promise.resolve(ceiling.take(undefined)))).to.have.property('code', 'overloaded');
    expect(other.status.replicas).to.equal(2);
  });
});
