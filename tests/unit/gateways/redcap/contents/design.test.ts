import { expect } from 'chai';
import { rejection } from '../../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../../support/sandbox-client.js';
import { classicStudy, longitudinalStudy } from '../../../../support/studies.js';

describe('The design of a project, through the client', () => {
  let longitudinal: SandboxClient;

  beforeEach(async () => {
    longitudinal = await startSandboxClient(longitudinalStudy());
  });
  afterEach(() => longitudinal.close());

  it('imports, exports and deletes arms and events, and shows changes immediately despite the cache', async () => {
    const { client } = longitudinal;
    expect(await client.arms.list()).to.deep.equal([{ number: 1, name: 'Arm 1' }]);

    expect(await client.arms.put([{ number: 2, name: 'Drug' }])).to.equal(1);
    expect(await client.events.put([{ label: 'First visit', arm: 2 }])).to.equal(1);

    expect(await client.arms.list()).to.deep.equal([
      { number: 1, name: 'Arm 1' },
      { number: 2, name: 'Drug' },
    ]);
    const events = await client.events.list();
    expect(events.map(({ id: _number, ...event }) => event)).to.deep.include({
      label: 'First visit',
      arm: 2,
      uniqueName: 'first_visit_arm_2',
      customLabel: '',
    });
    expect(await client.events.delete(['first_visit_arm_2'])).to.equal(1);
    expect(await client.arms.delete([2])).to.equal(1);
  });

  it('imports the event mappings and repeating instruments that it exported', async () => {
    const { client } = longitudinal;
    const [mappings, repeating] = [await client.mappings.list(), await client.repeating.list()];

    expect(await client.mappings.put(mappings)).to.equal(mappings.length);
    expect(await client.repeating.put(repeating)).to.equal(repeating.length);

    expect(await client.mappings.list()).to.deep.equal(mappings);
    expect(await client.repeating.list()).to.deep.equal(repeating);
  });

  it('imports the data dictionary that it exported, and exports text validations', async () => {
    const { client } = longitudinal;
    const fields = await client.fields.list();

    expect(await client.fields.put(fields)).to.equal(fields.length);

    expect(await client.fields.list()).to.deep.equal(fields);
    expect(await client.fieldValidations.list()).to.deep.include({
      name: 'integer',
      pattern: String.raw`/^[-+]?\d+$/`,
    });
  });

  it('changes settings, and refuses an empty change', async () => {
    const { client } = longitudinal;

    expect(await client.project.putInfo({ title: 'New title', surveysEnabled: true })).to.equal(2);

    expect(await client.project.getInfo()).to.include({ title: 'New title', surveysEnabled: true });
    expect(await rejection(client.project.putInfo({}))).to.have.property('code', 'invalid_request');
  });

  it('refuses lists without a name before sending a request', async () => {
    const { client } = longitudinal;

    for (const attempt of [
      client.arms.delete([]),
      client.events.delete([]),
      client.dags.delete([]),
      client.users.delete(['']),
      client.roles.delete([]),
      client.records.delete([]),
      client.fields.put([]),
    ]) {
      expect(await rejection(attempt)).to.have.property('code', 'invalid_request');
    }
  });
});

describe('Projects created with a super token, through the client', () => {
  it('return a project token', async () => {
    const superToken = 'F'.repeat(64);
    const made = await startSandboxClient(classicStudy(), { token: superToken, superToken });

    const token = await made.client.project.create({ title: 'New', purpose: 0 });

    expect(token).to.match(/^[0-9A-F]{32}$/);
    await made.close();
  });
});
