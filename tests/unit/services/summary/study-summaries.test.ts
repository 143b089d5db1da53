import { expect } from 'chai';
import { QualityService } from '../../../../src/services/quality/quality-service.js';
import { StudySummaries } from '../../../../src/services/summary/study-summaries.js';
import { startSandboxClient } from '../../../support/sandbox-client.js';
import { classicStudy } from '../../../support/studies.js';

describe('StudySummaries', () => {
  it('recounts a distribution after a minute, however often it is requested', async () => {
    const started = await startSandboxClient(classicStudy());
    const { client } = started;
    let now = Date.parse('2026-11-20T20:00:00Z');
    const summaries = new StudySummaries(client, new QualityService(client), {}, () => new Date(now));
    const madeAt: string[] = [];
    for (const seconds of [0, 40, 30]) {
      now += seconds * 1_000;
      madeAt.push((await summaries.distribution({ field: 'age' }, ['records:read'])).madeAt.slice(11, 19));
    }
    await started.close();

    expect(madeAt).to.deep.equal(['20:00:00', '20:00:00', '20:01:10']);
  });

  it('labels choices without HTML', async () => {
    const study = classicStudy();
    const fields = study.fields.map((field) =>
      field.name === 'sex' ? { ...field, choicesOrCalculations: '1, <b>Woman</b> | 2, Man' } : field,
    );
    const started = await startSandboxClient({ ...study, fields });
    const { client } = started;
    const summaries = new StudySummaries(client, new QualityService(client));
    const { choices } = await summaries
      .distribution({ field: 'sex' }, ['records:read'])
      .finally(() => started.close());

    expect(choices.map(({ label }) => label)).to.deep.equal(['Woman', 'Man']);
  });
});
