import { expect } from 'chai';
import { createServiceClient } from '../../../src/client.js';
import type { Study } from '../../../src/sandbox/redcap/study.js';
import { armsStudy } from '../../support/studies.js';
import { startStudyService, type StudyService } from '../../support/study-service.js';

/** What `GET` lists and `PUT` takes. */
const LISTS = [
  'fields',
  'arms',
  'events',
  'mappings',
  'repeating',
  'dags',
  'users',
  'roles',
  'dag-assignments',
  'role-assignments',
] as const;

type Client = ReturnType<typeof createServiceClient>;

const PUT_BACK: Readonly<Record<string, (client: Client) => Promise<{ readonly response: Response }>>> = {
  fields: async (client) => {
    const { data } = await client.GET('/api/v1/project/fields');
    return client.PUT('/api/v1/project/fields', { body: data ?? { data: [] } });
  },
  arms: async (client) => {
    const { data } = await client.GET('/api/v1/project/arms');
    return client.PUT('/api/v1/project/arms', { body: data ?? { data: [] } });
  },
  events: async (client) => {
    const { data } = await client.GET('/api/v1/project/events');
    return client.PUT('/api/v1/project/events', { body: data ?? { data: [] } });
  },
  mappings: async (client) => {
    const { data } = await client.GET('/api/v1/project/mappings');
    return client.PUT('/api/v1/project/mappings', { body: data ?? { data: [] } });
  },
  repeating: async (client) => {
    const { data } = await client.GET('/api/v1/project/repeating');
    return client.PUT('/api/v1/project/repeating', { body: data ?? { data: [] } });
  },
  dags: async (client) => {
    const { data } = await client.GET('/api/v1/project/dags');
    return client.PUT('/api/v1/project/dags', { body: data ?? { data: [] } });
  },
  users: async (client) => {
    const { data } = await client.GET('/api/v1/project/users');
    return client.PUT('/api/v1/project/users', { body: data ?? { data: [] } });
  },
  roles: async (client) => {
    const { data } = await client.GET('/api/v1/project/roles');
    return client.PUT('/api/v1/project/roles', { body: data ?? { data: [] } });
  },
  'dag-assignments': async (client) => {
    const { data } = await client.GET('/api/v1/project/dag-assignments');
    return client.PUT('/api/v1/project/dag-assignments', { body: data ?? { data: [] } });
  },
  'role-assignments': async (client) => {
    const { data } = await client.GET('/api/v1/project/role-assignments');
    return client.PUT('/api/v1/project/role-assignments', { body: data ?? { data: [] } });
  },
  settings: async (client) => {
    const { data } = await client.GET('/api/v1/project/info');
    return client.PATCH('/api/v1/project/info', { body: data?.data ?? {} });
  },
};

/** A study that has something in each of the lists, with each property that a list may have. */
function fullStudy(): Study {
  const study = armsStudy();
  const [manager, monitor] = study.users;
  if (manager === undefined || monitor === undefined) throw new Error('the study has two users');
  const forms = Object.fromEntries(study.instruments.map(({ name }) => [name, 1]));
  return {
    ...study,
    arms: study.arms.slice(0, 2),
    groups: [
      { name: 'Le Havre', uniqueName: 'le_havre', id: 3 },
      { name: 'Süd', uniqueName: 'sd', id: 4 },
    ],
    roles: [
      {
        uniqueName: 'U-ABCDEFGHIJ',
        label: 'Coder',
        rights: monitor.rights,
        formRights: { forms, formsExport: forms },
      },
    ],
    users: [
      manager,
      { ...monitor, username: 'monitor', group: 'le_havre', expiration: '2031-01-31' },
      { ...monitor, username: 'coder', token: '', role: 'U-ABCDEFGHIJ' },
    ],
  };
}

describe('What GET lists, PUT takes unchanged (BACK-03)', () => {
  let service: StudyService;
  before(async () => {
    service = await startStudyService(fullStudy());
  });
  after(() => service.close());

  const listed = async (): Promise<Record<string, unknown>> => {
    const project: Record<string, unknown> = {};
    for (const path of LISTS)
      project[path] = (await service.send('get', `/project/${path}`).expect(200)).body.data;
    project['info'] = (await service.send('get', '/project/info').expect(200)).body.data;
    project['records'] = await service.client.exportRecords({ exportDataAccessGroups: true });
    return project;
  };

  it('the settings, which changes nothing of the project', async () => {
    const before = await listed();
    const answer = await service.send('patch', '/project/info', before['info'] as object);

    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(await listed()).to.deep.equal(before);
    await service.send('patch', '/project/info', { id: 1 }).expect(400);
  });

  it('through the client of the service, by its types too', async () => {
    const before = await listed();
    for (const [name, putBack] of Object.entries(PUT_BACK)) {
      const client = createServiceClient({
        baseUrl: service.url,
        apiKey: service.authorization.replace('Bearer ', ''),
      });
      expect((await putBack(client)).response.status, name).to.equal(200);
      expect(await listed(), name).to.deep.equal(before);
    }
  });

  for (const path of LISTS)
    it(`the ${path}, which changes nothing of the project`, async () => {
      const before = await listed();
      const { body } = await service.send('get', `/project/${path}`);
      expect(body.data).to.not.have.length(0);

      const answer = await service.send('put', `/project/${path}`, body as object);

      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(await listed()).to.deep.equal(before);
    });
});
