import { expect } from 'chai';
import { SharedState } from '../../../src/gateways/redis/shared-state.js';
import { describeWith } from '../../support/needed-programs.js';
import { RedisServer } from '../../support/redis-server.js';
import { until } from '../../support/until.js';

describeWith(['redis'], 'IN-22: The leases of records in Redis', () => {
  let server: RedisServer;
  const states: SharedState[] = [];

  before(async () => {
    server = await RedisServer.start();
  });
  after(async () => {
    await Promise.all(states.map((state) => state.close()));
    await server.dispose();
  });

  async function connect(): Promise<SharedState> {
    const state = await SharedState.connect({ url: server.url, secret: 'a secret', timeoutMs: 20_000 });
    states.push(state);
    return state;
  }

  it('are taken by one process, all or none, until it gives them back', async () => {
    const [one, other] = [(await connect()).leases(), (await connect()).leases()];
    const taken = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).take(['A'])),
    );
    const holders = taken.filter((giveBack) => giveBack !== undefined);
    expect(holders).to.have.lengthOf(1);

    expect(await other.take(['B', 'A'])).to.equal(undefined);
    const ofB = await other.take(['B']);
    expect(ofB).to.be.a('function');
    await holders[0]?.();
    await ofB?.();
    const both = await other.take(['A', 'B']);
    expect(both).to.be.a('function');
    // Given back twice, they stay with whoever has them now.
    await holders[0]?.();
    expect(await one.take(['A'])).to.equal(undefined);
    await both?.();
  });

  it('pass to another process when theirs is gone', async () => {
    const [gone, other] = [await connect(), (await connect()).leases()];
    expect(await gone.leases().take(['C'])).to.be.a('function');
    expect(await other.take(['C'])).to.equal(undefined);
    await gone.close();
    const next = await until(() => other.take(['C']));
    await next();
  });
});
