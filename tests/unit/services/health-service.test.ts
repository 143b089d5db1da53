import { expect } from 'chai';
import { once } from 'node:events';
import { HealthService } from '../../../src/services/health-service.js';

describe('HealthService.readiness', () => {
  const up = { name: 'redcap', check: async () => 'fine' } as const;
  const down = { name: 'identity', check: () => Promise.reject(new Error('no')) } as const;

  it('is ready if everything answers', async () => {
    const { status, dependencies } = await new HealthService([up]).readiness();

    expect(status).to.equal('ready');
    expect(dependencies[0]).to.include({ name: 'redcap', status: 'up' });
  });

  it('is not ready if one dependency does not answer', async () => {
    const { status, dependencies } = await new HealthService([up, down]).readiness();

    expect(status).to.equal('not_ready');
    expect(dependencies.map((dependency) => dependency.status)).to.deep.equal(['up', 'down']);
  });

  it('OPS-01: checks once for a thousand requests, and again when the answer has expired', async () => {
    let calls = 0;
    let now = 0;
    const health = new HealthService([{ name: 'redcap', check: async () => (calls += 1) }], {
      cacheMs: 3000,
      clock: () => now,
    });

    await Promise.all(Array.from({ length: 1000 }, () => health.readiness()));
    expect(calls).to.equal(1);

    now = 3000;
    await health.readiness();
    expect(calls).to.equal(2);
  });

  it('OPS-01: times out a dependency that hangs', async () => {
    const hangs = {
      name: 'redcap',
      check: async ({ signal }: { signal?: AbortSignal | undefined }) => {
        if (signal !== undefined) await once(signal, 'abort');
        throw new Error('aborted');
      },
    } as const;

    const { dependencies } = await new HealthService([hangs], { timeoutMs: 20 }).readiness();

    expect(dependencies[0]?.status).to.equal('down');
  });

  it('OPS-01: times out a dependency that hangs and cannot be cancelled', async () => {
    const hangs = { name: 'identity', check: () => new Promise(() => undefined) } as const;

    const { status } = await new HealthService([hangs], { timeoutMs: 20 }).readiness();

    expect(status).to.equal('not_ready');
  });

  it('OPS-02: is not ready once shutdown begins', async () => {
    const health = new HealthService([up]);
    await health.readiness();

    health.stop();

    expect((await health.readiness()).status).to.equal('not_ready');
  });
});
