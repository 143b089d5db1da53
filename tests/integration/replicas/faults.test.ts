import { expect } from 'chai';
import { describeWith } from '../../support/needed-programs.js';
import { until } from '../../support/until.js';
import { ReplicaLoad } from './replica-load.js';
import { ReplicaSet } from './replica-set.js';

const KEYS = ['writer', 'reader'] as const;

describeWith(['redis', 'nginx', 'openssl'], 'Three replicas behind nginx, under load', function () {
  this.timeout(180_000);
  let set: ReplicaSet;
  let load: ReplicaLoad;

  before(async () => {
    set = await ReplicaSet.start(KEYS, { DRAIN_DELAY_MS: '500' });
  });
  after(() => set.dispose());
  beforeEach(() => {
    load = new ReplicaLoad(set);
  });
  afterEach(() => load.stop());

  /** Waits until the given number of further imports and reads have succeeded. */
  async function progress(imports = 15): Promise<void> {
    const { stored, read } = load;
    await until(() => load.stored >= stored + imports && load.read >= read + imports);
  }

  it('SHARE-05: lose no request and no import during a rolling restart', async () => {
    // No request is repeated: each one succeeds the first time.
    load.start({ isPatient: false });
    await progress();
    for (const [index, port] of set.ports.entries()) {
      await set.nginx.passTo(set.ports.filter((other) => other !== port));
      expect(await set.end(index, 'SIGTERM')).to.equal(0);
      await set.startReplica(index);
      await set.nginx.passTo(set.ports);
      await progress();
    }
    await load.stop();

    expect(load.statuses).to.have.all.keys('200');
    load.verify();
  });

  it('SHARE-05: store nothing twice and lose nothing when a replica is killed, also without Redis', async () => {
    load.start();
    await progress();
    await set.end(0, 'SIGKILL');
    await progress();
    set.redis.pause();
    await until(() => load.refusedForRedis > 3);
    await set.end(2, 'SIGKILL');
    set.redis.resume();
    const restarted = set.end(1, 'SIGTERM').then(() => set.startReplica(1));
    await Promise.all([restarted, set.startReplica(0), set.startReplica(2)]);
    await progress();
    await load.stop();

    load.verify();
  });

  it('SHARE-02, SHARE-05: nor when Redis is stopped and started', async () => {
    load.start();
    await progress();
    await set.redis.stop();
    await until(() => load.refusedForRedis > 3);
    await load.untilMoreReads(30);
    expect((await set.sendTo(0, '/health/ready')).text).to.include('"degraded"');
    await set.redis.startAgain();
    await progress();
    await load.stop();

    load.verify();
  });

  it('SHARE-02, SHARE-03, SHARE-05: nor when Redis is killed or paused', async () => {
    load.start();
    await progress();
    await set.redis.stop('SIGKILL');
    await set.redis.startAgain();
    await progress();
    set.redis.pause();
    await until(() => load.refusedForRedis > 3);
    await load.untilMoreReads(30);
    set.redis.resume();
    await progress();
    await set.redis.command('CLIENT', 'PAUSE', '3000', 'ALL');
    await load.untilMoreReads(30);
    await progress();
    await load.stop();

    load.verify();
  });
});
