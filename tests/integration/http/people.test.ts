import { expect } from 'chai';
import { classicStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

describe('The routes of groups, users and roles', () => {
  let service: StudyService;
  beforeEach(async () => {
    service = await startStudyService(classicStudy());
  });
  afterEach(() => service.close());

  it('create, assign, rename and delete a data access group', async () => {
    const { send } = service;
    await send('put', '/project/dags', { data: [{ name: 'North' }] }).expect(200, { data: { count: 1 } });
    await send('put', '/project/dags', { data: [{ name: 'North' }] }).expect(200);
    await send('get', '/project/dags').expect(200, { data: [{ name: 'North', uniqueName: 'north', id: 1 }] });

    await send('put', '/project/dag-assignments', {
      data: [{ username: 'monitor', dag: 'north' }],
    }).expect(200, { data: { count: 1 } });
    const { data } = (await send('get', '/project/dag-assignments')).body;
    expect(data).to.deep.include({ username: 'monitor', dag: 'north' });

    await send('put', '/project/dags', { data: [{ name: 'South', uniqueName: 'north' }] }).expect(200);
    await send('delete', '/project/dags/south').expect(200, { data: { count: 1 } });
    await send('get', '/project/dags').expect(200, { data: [] });
  });

  it('add, change and remove a user', async () => {
    const { send } = service;
    const user = {
      username: 'grace.hopper',
      expiration: '2027-01-31',
      rights: { api_export: 1 },
      forms: { base: 129 },
    };
    await send('put', '/project/users', { data: [user] }).expect(200, { data: { count: 1 } });
    await send('put', '/project/users', {
      data: [{ username: 'grace.hopper', rights: { design: 1 } }],
    }).expect(200);

    const { data } = (await send('get', '/project/users').expect(200)).body as {
      data: { username: string; rights: object; forms: object; expiration: string }[];
    };
    const grace = data.find(({ username }) => username === 'grace.hopper');
    expect(grace?.rights).to.include({ api_export: 1, design: 1 });
    expect(grace).to.deep.include({ expiration: '2027-01-31', forms: { base: 129 } });

    await send('delete', '/project/users/grace.hopper').expect(200, { data: { count: 1 } });
  });

  it('create a role once, assign it and delete it', async () => {
    const { send } = service;
    const roles = [{ label: 'Monitor', rights: { api_export: 1 }, formsExport: { base: 2 } }];
    await send('put', '/project/roles', { data: roles }).expect(200, { data: { count: 1 } });
    await send('put', '/project/roles', { data: roles }).expect(200);
    const { data } = (await send('get', '/project/roles').expect(200)).body;
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({ label: 'Monitor', formsExport: { base: 2 } });

    const assignments = [{ username: 'monitor', role: data[0].uniqueName }];
    await send('put', '/project/role-assignments', { data: assignments }).expect(200, { data: { count: 1 } });
    const assigned = { ...assignments[0], roleLabel: 'Monitor' };
    expect((await send('get', '/project/role-assignments')).body.data).to.deep.include(assigned);
    const ofAnotherProject = [{ username: 'monitor', role: 'U-NOTOFTHIS1', roleLabel: 'Monitor' }];
    await send('put', '/project/role-assignments', { data: ofAnotherProject }).expect(200);
    expect((await send('get', '/project/role-assignments')).body.data).to.deep.include(assigned);
    const unknown = [{ username: 'monitor', role: 'U-NOTOFTHIS1', roleLabel: 'Coder' }];
    const { body } = await send('put', '/project/role-assignments', { data: unknown }).expect(400);
    expect(body.errors).to.deep.equal([
      {
        field: 'data[0].role',
        name: 'U-NOTOFTHIS1',
        message: 'is not a role of this project, and no role has its label',
      },
    ]);
    await send('delete', `/project/roles/${data[0].uniqueName}`).expect(200, { data: { count: 1 } });
  });

  it('refuse an invalid right, user or group, naming the property', async () => {
    const { status, body } = await service.send('put', '/project/users', {
      data: [{ username: '', rights: { api_export: 'yes' } }],
    });

    expect(status).to.equal(400);
    expect(body.errors.map(({ field }: { field: string }) => field)).to.include.members([
      'data[0].username',
      'data[0].rights.api_export',
    ]);
  });
});
