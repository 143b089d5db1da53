import { expect } from 'chai';
import { LoopClock } from '../../support/loop-clock.js';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { rejection } from '../../support/rejection.js';
import { until } from '../../support/until.js';

describeWith(['redis'], 'Projects that share a Redis', () => {
  let server: RedisServer;
  let opened: SharedState[];

  beforeEach(async () => {
    server = await RedisServer.start();
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((shared) => shared.close()));
    await server.dispose();
  });

  async function processOf(project: string, host: string) {
    const shared = await SharedState.connect({ url: server.url, secret: project, host, timeoutMs: 5_000 });
    opened.push(shared);
    return { shared, ceiling: shared.resilience.ceiling(6, new LoopClock()) };
  }

  it('UP-05: share the ceiling of calls to one REDCap, whose ban is for the address', async () => {
    const one = await processOf('one project', 'redcap.example.org');
    const other = await processOf('another project', 'redcap.example.org');
    for (let call = 0; call < 3; call += 1) {
      await one.ceiling.take(undefined);
      await other.ceiling.take('a caller');
    }

    expect(await rejection(Promise.resolve(one.ceiling.take(undefined)))).to.have.property(
      'code',
      'overloaded',
    );
    expect(await rejection(Promise.resolve(other.ceiling.take('a caller')))).to.have.property(
      'code',
      'overloaded',
    );
    expect([await one.ceiling.used(), await other.ceiling.used()]).to.deep.equal([6, 6]);
  });

  it('PROJ-07: leave each of several in one process its part, also of what other processes count', async () => {
    const processes = [await processOf('service', 'host'), await processOf('service', 'host')];
    const [greedy, quiet] = ['greedy', 'quiet'].map((secret, at) =>
      processes[at]?.shared
        .ofProject({ secret, host: 'redcap.example.org', projects: 2 })
        .resilience.ceiling(12, new LoopClock()),
    );
    // A quarter of 12 is its own, and 6 are for whoever comes first.
    for (let call = 0; call < 9; call += 1) await greedy?.take(undefined);

    expect(await rejection(Promise.resolve(greedy?.take(undefined)))).to.have.property('code', 'overloaded');
    for (let call = 0; call < 3; call += 1) await quiet?.take(undefined);
    expect(await rejection(Promise.resolve(quiet?.take(undefined)))).to.have.property('code', 'overloaded');
    expect(await greedy?.used()).to.equal(12);
  });

  it('UP-05: do not share it if they are in different REDCaps', async () => {
    const one = await processOf('one project', 'redcap.example.org');
    const other = await processOf('another project', 'redcap.example.com');
    for (let call = 0; call < 6; call += 1) await one.ceiling.take(undefined);

    await other.ceiling.take(undefined);

    expect([await one.ceiling.used(), await other.ceiling.used()]).to.deep.equal([6, 1]);
  });

  it('SHARE-02: divide it among the processes of all projects while Redis is away', async () => {
    const processes = [
      await processOf('one project', 'redcap.example.org'),
      await processOf('one project', 'redcap.example.org'),
      await processOf('another project', 'redcap.example.org'),
    ];
    await until(() => processes.every(({ shared }) => shared.status.replicas === 3));
    await server.stop();
    await until(() => processes.every(({ shared }) => !shared.status.isUp));

    for (const { ceiling } of processes) {
      await ceiling.take(undefined);
      await ceiling.take(undefined);
      expect(await rejection(Promise.resolve(ceiling.take(undefined)))).to.have.property(
        'code',
        'overloaded',
      );
      expect(await ceiling.used()).to.equal(2);
    }
  });

  it('SHARE-04: name the host by a digest', async () => {
    const { ceiling } = await processOf('one project', 'redcap.example.org');
    await ceiling.take('a caller');

    const keys = (await server.command('KEYS', '*')) as string[];
    expect(keys.filter((key) => key.startsWith('crf:calls:'))).to.have.length(1);
    expect(keys.join()).to.not.include('redcap');
  });
});
