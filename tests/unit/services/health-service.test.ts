import { expect } from 'chai';
import { once } from 'node:events';
import { SharedStateUnavailableError } from '../../../src/domain/errors/operator-errors.js';
import { MemoryKeyValueStore } from '../../../src/services/auth/key-value-store.js';
import { HealthService, type Dependency, type DependencyName } from '../../../src/services/health-service.js';

/** A dependency that is checked each time, unless a test says otherwise. */
function dependency(
  name: DependencyName,
  check: Dependency['check'],
  rules: Partial<Pick<Dependency, 'isEssential' | 'isCheckedRarely'>> = {},
): Dependency {
  return { name, check, isEssential: false, isCheckedRarely: false, ...rules };
}

const up = dependency('redcap', async () => 'fine');
const fails = (): Promise<never> => Promise.reject(new Error('no'));

describe('HealthService.readiness', () => {
  it('is ready if everything answers', async () => {
    const { status, dependencies } = await new HealthService([up]).readiness();

    expect(status).to.equal('ready');
    expect(dependencies[0]).to.include({ name: 'redcap', status: 'up' });
  });

  it('OPS-01: is degraded if something does not answer that part of the service can do without', async () => {
    const { status, dependencies } = await new HealthService([up, dependency('identity', fails)]).readiness();

    expect(status).to.equal('degraded');
    expect(dependencies.map((each) => each.status)).to.deep.equal(['up', 'down']);
  });

  it('OPS-01: is not ready if something essential does not answer', async () => {
    const essential = dependency('audit', fails, { isEssential: true });
    const health = new HealthService([dependency('redcap', fails), essential]);

    expect((await health.readiness()).status).to.equal('not_ready');
  });

  it('OPS-01: checks once for a thousand requests, and again when the answer has expired', async () => {
    let calls = 0;
    let now = 0;
    const health = new HealthService([dependency('redis', async () => (calls += 1))], {
      cacheMs: 3000,
      clock: () => now,
    });

    await Promise.all(Array.from({ length: 1000 }, () => health.readiness()));
    expect(calls).to.equal(1);

    now = 3000;
    await health.readiness();
    expect(calls).to.equal(2);
  });

  it('OPS-01: waits for no dependency longer than 2 s, unless told otherwise', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limits: number[] = [];
    AbortSignal.timeout = (milliseconds) => {
      limits.push(milliseconds);
      return timeout(1);
    };
    try {
      const hangs = dependency('identity', () => new Promise(() => undefined));
      await new HealthService([hangs, { ...hangs, isCheckedRarely: true }]).readiness();
    } finally {
      AbortSignal.timeout = timeout;
    }

    expect(limits).to.deep.equal([2000, 2000]);
  });

  it('OPS-01: times out a dependency that hangs', async () => {
    const hangs = dependency('redcap', async ({ signal }) => {
      if (signal !== undefined) await once(signal, 'abort');
      throw new Error('aborted');
    });

    const { dependencies } = await new HealthService([hangs], { timeoutMs: 20 }).readiness();

    expect(dependencies[0]?.status).to.equal('down');
  });

  it('OPS-01: times out a dependency that hangs and cannot be cancelled', async () => {
    const hangs = dependency('identity', () => new Promise(() => undefined));

    const { status } = await new HealthService([hangs], { timeoutMs: 20 }).readiness();

    expect(status).to.equal('degraded');
  });

  it('OPS-02: is not ready once shutdown begins', async () => {
    const health = new HealthService([up]);
    await health.readiness();

    health.stop();

    expect((await health.readiness()).status).to.equal('not_ready');
  });
});

describe('HealthService.readiness, of a dependency that is checked rarely', () => {
  let now = 0;
  let calls = 0;
  let answers = true;
  const redcap = dependency(
    'redcap',
    async () => {
      calls += 1;
      if (!answers) throw new Error('no');
    },
    { isCheckedRarely: true },
  );
  const statusOf = async (health: HealthService) => (await health.readiness()).dependencies[0]?.status;

  beforeEach(() => {
    now = 0;
    calls = 0;
    answers = true;
  });

  it('OPS-01: makes one check a minute for all callers of a process, whether it succeeds or fails', async () => {
    const health = new HealthService([redcap], { clock: () => now });
    answers = false;
    for (; now < 60_000; now += 1_000) expect(await statusOf(health)).to.equal('down');
    expect(calls).to.equal(1);

    answers = true;
    for (; now < 120_000; now += 1_000) expect(await statusOf(health)).to.equal('up');
    expect(calls).to.equal(2);
  });

  it('OPS-01: makes one check for all processes, which share its result', async () => {
    const shared = new MemoryKeyValueStore();
    const replicas = Array.from(
      { length: 5 },
      () => new HealthService([redcap], { shared, clock: () => now }),
    );
    answers = false;

    const first = await Promise.all(replicas.map(statusOf));
    now = 3_000;
    const later = await Promise.all(replicas.map(statusOf));

    expect(calls).to.equal(1);
    // Those that did not check themselves do not wait for the one that does.
    expect(first.sort()).to.deep.equal(['down', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(later).to.deep.equal(['down', 'down', 'down', 'down', 'down']);
  });

  it('OPS-01: counts what is unknown as available', async () => {
    const shared = new MemoryKeyValueStore();
    await shared.add('redcap', '-', 60_000);

    expect(await new HealthService([redcap], { shared }).readiness()).to.deep.equal({
      status: 'ready',
      dependencies: [{ name: 'redcap', status: 'unknown', latencyMs: 0 }],
    });
    expect(calls).to.equal(0);
  });

  it('OPS-01: makes one check a minute for each process while the shared state is away', async () => {
    const isAway = (): Promise<never> => Promise.reject(new SharedStateUnavailableError('away'));
    const shared = { get: isAway, add: isAway, set: isAway };
    const health = new HealthService([redcap], { shared, clock: () => now });

    for (; now < 60_000; now += 1_000) expect(await statusOf(health)).to.equal('up');
    expect(calls).to.equal(1);
  });
});
