import { expect } from 'chai';
import { ServiceMetrics } from '../../../../src/server/metrics/service-metrics.js';

describe('ServiceMetrics', () => {
  it('LOG-05: states when API keys expire, by their names, and forgets keys that were removed', async () => {
    const metrics = new ServiceMetrics('1.0.0');
    let keys = [{ name: 'portal', expiresAt: new Date('2026-12-31T00:00:00Z') }, { name: 'registry' }];
    metrics.watch({ apiKeys: () => keys });

    const before = await metrics.text();
    keys = [];
    const after = await metrics.text();

    expect(before).to.include('crf_api_key_expiry_timestamp_seconds{key="portal"} 1798675200');
    expect(before).to.not.include('registry');
    expect(after).to.not.include('portal');
  });

  it('OPS-01: reports dependencies as up or down, and leaves out those that are not known yet', async () => {
    const metrics = new ServiceMetrics('1.0.0');
    metrics.watch({
      readiness: () =>
        Promise.resolve({
          dependencies: [
            { name: 'redcap', status: 'down' },
            { name: 'identity', status: 'unknown' },
            { name: 'audit', status: 'up' },
          ],
        }),
    });

    const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('crf_dependency_up'));
    expect(lines).to.deep.equal([
      'crf_dependency_up{dependency="redcap"} 0',
      'crf_dependency_up{dependency="audit"} 1',
    ]);
  });

  it('PROJ-08: forgets a project that is no longer served, also what was counted after it', async () => {
    const metrics = new ServiceMetrics('1.0.0');
    const count = (project: string) => {
      metrics.redcapOf(project).began('record', 'call')('ok');
      metrics.requests.began()({
        ...{ method: 'GET', route: '/', project, status: 503, seconds: 1, bytes: 1, problem: 'offline' },
      });
    };
    const projectsIn = async () =>
      [...new Set([...(await metrics.text()).matchAll(/project="(\w+)"/g)].map(([, name]) => name))].sort();
    metrics.watch({ projects: new Set(['cohort', 'trial']) });
    for (const name of ['cohort', 'trial']) count(name);
    expect(await projectsIn()).to.deep.equal(['cohort', 'trial']);

    metrics.watch({ projects: new Set(['trial']) });
    count('cohort');

    expect(await projectsIn()).to.deep.equal(['trial']);
  });
});
