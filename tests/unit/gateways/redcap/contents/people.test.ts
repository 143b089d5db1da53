import { expect } from 'chai';
import { DEMO_READER_TOKEN } from '../../../../../src/sandbox/demo-study/demo-study.js';
import { rejection } from '../../../../support/rejection.js';
import { startSandboxClient, type SandboxClient } from '../../../../support/sandbox-client.js';
import { classicStudy } from '../../../../support/studies.js';

describe('Groups, users and roles, through the client', () => {
  let started: SandboxClient;

  beforeEach(async () => {
    started = await startSandboxClient(classicStudy());
  });
  afterEach(() => started.close());

  it('creates, renames, assigns, switches and deletes groups', async () => {
    const { dags, dagAssignments } = started.client;
    await dags.put([{ name: 'North' }]);
    expect(await dags.list()).to.deep.equal([{ name: 'North', uniqueName: 'north', id: 1 }]);

    await dags.put([{ name: 'Far North', uniqueName: 'north' }]);
    await dagAssignments.put([{ username: 'monitor', dag: 'far_north' }]);
    expect(await dagAssignments.list()).to.deep.include({ username: 'monitor', dag: 'far_north' });

    await dags.switch('far_north');
    expect(await started.client.exportRecords({ fields: ['id'] })).to.deep.equal([]);
    await dags.switch('');
    expect(await dags.delete(['far_north'])).to.equal(1);
  });

  it('imports the rights of a user as it exported them', async () => {
    const { users } = started.client;
    const manager = (await users.list()).find(({ username }) => username === 'data.manager');
    if (manager === undefined) throw new Error('The study has no user.');
    expect(manager).to.include({ email: 'data.manager@example.org' });
    expect(manager.rights).to.include({ api_export: 1, record_delete: 1 });
    expect(manager.forms).to.deep.equal({ base: 1 });

    await users.put([manager, { ...manager, username: 'copy' }]);

    const copy = (await users.list()).find(({ username }) => username === 'copy');
    expect(copy?.rights).to.deep.equal(manager.rights);
    expect(await users.delete(['copy'])).to.equal(1);
  });

  it('leaves the rights by instrument as they are if none is given', async () => {
    const { users } = started.client;

    await users.put([{ username: 'data.manager', forms: {}, formsExport: {} }]);

    const manager = (await users.list()).find(({ username }) => username === 'data.manager');
    expect(manager).to.deep.include({ forms: { base: 1 }, formsExport: { base: 1 } });
  });

  it('creates roles and assigns them to users', async () => {
    const { roles, roleAssignments } = started.client;
    await roles.put([{ label: 'Reader', rights: { api_export: 1 }, formsExport: { base: 2 } }]);
    const [role] = await roles.list();
    expect(role).to.deep.include({ label: 'Reader', formsExport: { base: 2 } });
    expect(role?.rights).to.include({ api_export: 1, api_import: 0 });

    const name = role?.uniqueName ?? '';
    expect(await roleAssignments.put([{ username: 'monitor', role: name }])).to.equal(1);
    expect(await roleAssignments.list()).to.deep.include({ username: 'monitor', role: name });
    expect(await roles.delete([name])).to.equal(1);
  });

  it('reports a right that the token lacks as upstream_forbidden, naming the right', async () => {
    const reader = await startSandboxClient(classicStudy(), { token: DEMO_READER_TOKEN });

    const error = await rejection(reader.client.log.list());

    expect(error).to.have.property('code', 'upstream_forbidden');
    expect(error.message).to.include('"Logging"');
    await reader.close();
  });
});
