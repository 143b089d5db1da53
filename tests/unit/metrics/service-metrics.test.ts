import { expect } from 'chai';
import { ServiceMetrics } from '../../../src/metrics/service-metrics.js';

describe('ServiceMetrics', () => {
  it('LOG-05: states when API keys expire, by their names, and forgets keys that were removed', async () => {
    const metrics = new ServiceMetrics('1.0.0');
    let keys = [{ name: 'portal', expiresAt: new Date('2026-12-31T00:00:00Z') }, { name: 'registry' }];
    metrics.watchApiKeys(() => keys);

    const before = await metrics.text();
    keys = [];
    const after = await metrics.text();

    expect(before).to.include('crf_api_key_expiry_timestamp_seconds{key="portal"} 1798675200');
    expect(before).to.not.include('registry');
    expect(after).to.not.include('portal');
  });

  it('OPS-01: reports dependencies as up or down, and leaves out those that are not known yet', async () => {
    const metrics = new ServiceMetrics('1.0.0');
    metrics.watchReadiness(() =>
      Promise.resolve({
        dependencies: [
          { name: 'redcap', status: 'down' },
          { name: 'identity', status: 'unknown' },
          { name: 'audit', status: 'up' },
        ],
      }),
    );

    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('crf_dependency_up'));
    expect(lines).to.deep.equal([
      'crf_dependency_up{dependency="redcap"} 0',
      'crf_dependency_up{dependency="audit"} 1',
    ]);
  });
});
