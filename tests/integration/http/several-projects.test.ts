import { expect } from 'chai';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createApp } from '../../../src/app/app.js';
import type { ProjectsAppOptions } from '../../../src/app/create-app-options.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { SCOPES } from '../../../src/domain/identifiers/scope.js';
import { startMemoryAudit } from '../../support/memory-audit.js';
import { startSandboxClient, type SandboxClient } from '../../support/sandbox-client.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startAuth, type TestAuth } from '../../support/start-auth.js';
import { closeServer, keyWith, listen } from '../../support/start-service.js';
import { classicStudy } from '../../support/studies.js';
import { startStudyService } from '../../support/study-service.js';

describe('An application of several projects', () => {
  const keys = {
    both: { ...keyWith(...SCOPES), projects: ['cohort', 'trial'] },
    trial: { ...keyWith('project:read'), projects: ['trial'] },
    unnamed: keyWith('project:read'),
  };
  let cohort: SandboxClient;
  let trial: SandboxClient;
  let auth: TestAuth;

  before(async () => {
    const classic = classicStudy();
    const titled = (title: string) =>
      startSandboxClient({ ...classic, project: { ...classic.project, title } });
    [cohort, trial, auth] = await Promise.all([titled('The cohort'), titled('The trial'), startAuth()]);
  });
  after(() => Promise.all([cohort.close(), trial.close(), auth.server.stop()]));

  const withApp = async (options: Partial<ProjectsAppOptions>, run: (url: string) => Promise<void>) => {
    const app = createApp({
      access: {
        apiKeys: Object.entries(keys).map(([name, key]) => ({
          ...key.apiKey,
          name,
          ...('projects' in key && { projects: key.projects }),
        })),
        sessions: [
          { email: 'ada@example.org', projects: ['cohort', 'trial'], scopes: ['project:read'] },
          { email: 'ada@*', projects: ['trial'], scopes: ['records:read'] },
          { email: 'joan@example.org', projects: ['trial'], scopes: ['project:read'] },
        ],
      },
      auth: { service: auth.service, trustedOrigins: ['https://app.example.org'] },
      projects: { cohort: { capture: cohort.client }, trial: { capture: trial.client } },
      defaultProject: 'cohort',
      docs: true,
      ...options,
    });
    const server = createHttpServer(app);
    const url = await listen(server);
    try {
      await run(url);
    } finally {
      await closeServer(server);
    }
  };
  const get = (url: string, key?: { readonly authorization: string }, init: RequestInit = {}) =>
    fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { ...(key && { authorization: key.authorization }), ...init.headers },
    });
  const titleAt = async (url: string, key: { readonly authorization: string }) => {
    const { data, code } = (await (await get(`${url}/api/v1/project/info`, key)).json()) as {
      data?: { title: string };
      code?: string;
    };
    return data?.title ?? code;
  };

  it('PROJ-01: serves each project below its name, and the default at the root too', () =>
    withApp({}, async (url) => {
      expect(await titleAt(`${url}/projects/trial`, keys.both)).to.equal('The trial');
      expect(await titleAt(`${url}/projects/cohort`, keys.both)).to.equal('The cohort');
      expect(await titleAt(url, keys.both)).to.equal('The cohort');
    }));

  it('PROJ-01: has the routes of a project below its entry in the list of projects too', () =>
    withApp({ defaultProject: undefined }, async (url) => {
      const rows = await get(`${url}/api/v1/projects/trial/records?pageSize=1&fields=id`, keys.both);
      const refused = await get(`${url}/api/v1/projects/cohort/records`, keys.trial);

      expect(rows.status).to.equal(200);
      expect(rows.headers.get('link')).to.match(new RegExp(`^<${url}/projects/trial/api/v1/records\\?`));
      expect(await refused.json()).to.include({ code: 'project_not_found' });
      expect((await get(`${url}/api/v1/projects/trial`, keys.both)).status).to.equal(404);
    }));

  it('PROJ-01: has them for a whole URL too, as a client sends it to a proxy', () =>
    withApp({ defaultProject: undefined }, async (url) => {
      const { port, host } = new URL(url);
      const ask = async (path: string): Promise<[IncomingMessage, string]> => {
        const headers = { Host: 'other.example', Authorization: keys.both.authorization };
        const asked = request({ port, path: url + path, headers }).end();
        const [answer] = (await once(asked, 'response')) as [IncomingMessage];
        return [answer, await text(answer)];
      };
      for (const path of ['/api/v1/projects/trial/project/info', '/projects/trial/api/v1/project/info']) {
        const [answer, body] = await ask(path);
        expect(answer.statusCode, body).to.equal(200);
        expect(body).to.include('The trial');
      }
      const [answer] = await ask('/api/v1/projects/trial/records?pageSize=1&fields=id');
      expect(answer.headers.link).to.match(new RegExp(`^<http://${host}/projects/trial/api/v1/records`));
    }));

  it('PROJ-01: asks for a project where there is no default', () =>
    withApp({ defaultProject: undefined }, async (url) => {
      expect(await titleAt(url, keys.both)).to.equal('project_required');
      expect(await titleAt(`${url}/projects/trial`, keys.both)).to.equal('The trial');
    }));

  it('PROJ-02: answers the same for a project of others as for one that does not exist', () =>
    withApp({}, async (url) => {
      const answers = await Promise.all(
        ['cohort', 'nothing'].map(async (name) => {
          const answer = await get(`${url}/projects/${name}/api/v1/records`, keys.trial);
          const headers = [...answer.headers].filter(
            ([header]) => !/^(x-request-id|date|ratelimit)$/.test(header),
          );
          const { instance: _instance, ...body } = (await answer.json()) as Record<string, unknown>;
          return { status: answer.status, headers, body };
        }),
      );

      expect(answers[0]).to.deep.equal(answers[1]).and.to.nested.include({
        status: 404,
        'body.code': 'project_not_found',
      });
    }));

  it('PROJ-02: tells a stranger nothing but that a credential is needed', () =>
    withApp({}, async (url) => {
      for (const name of ['cohort', 'nothing'])
        expect((await get(`${url}/projects/${name}/api/v1/records`)).status).to.equal(401);
    }));

  it('PROJ-02: gives a key without projects the default alone', () =>
    withApp({}, async (url) => {
      expect(await titleAt(url, keys.unnamed)).to.equal('The cohort');
      expect(await titleAt(`${url}/projects/trial`, keys.unnamed)).to.equal('project_not_found');
    }));

  it('PROJ-02: gives a person the scopes that they have in the project', () =>
    withApp({}, async (url) => {
      const ada = await signedIn(url, 'ada');
      const status = async (path: string) => (await ada.send(path)).status;

      expect(await status('/projects/trial/api/v1/records?pageSize=1')).to.equal(200);
      expect(await status('/projects/cohort/api/v1/records?pageSize=1')).to.equal(403);
      expect(await status('/projects/cohort/api/v1/project/info')).to.equal(200);
    }));

  it('PROJ-03: lists the projects of the caller, with title and state', () =>
    withApp({}, async (url) => {
      const list = async (key: { readonly authorization: string }) =>
        ((await (await get(`${url}/api/v1/projects`, key)).json()) as { data: unknown }).data;

      expect(await list(keys.both)).to.deep.equal([
        { name: 'cohort', title: 'The cohort', status: 'up', isDefault: true },
        { name: 'trial', title: 'The trial', status: 'up', isDefault: false },
      ]);
      expect(await list(keys.trial)).to.have.length(1);
      expect((await get(`${url}/api/v1/projects`)).status).to.equal(401);
    }));

  it('PROJ-03: lists the one project of a service with one, whose paths have no name', async () => {
    const service = await startStudyService(classicStudy());
    const { body } = await service.send('get', '/projects').expect(200);
    await service.close();

    expect(body.data).to.deep.equal([{ name: '', title: 'Test', status: 'up', isDefault: true }]);
  });

  it('PROJ-01: puts the project in front of the next page, whose cursor no other project reads', () =>
    withApp({}, async (url) => {
      const first = await get(`${url}/projects/trial/api/v1/records?pageSize=1&fields=id`, keys.both);
      const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? [];

      expect(next).to.match(new RegExp(`^${url}/projects/trial/api/v1/records\\?`));
      expect((await get(next, keys.both)).status).to.equal(200);
      expect((await get(next.replace('/trial/', '/cohort/'), keys.both)).status).to.equal(400);
    }));

  it('PROJ-01: keeps the results of an Idempotency-Key apart', () =>
    withApp({}, async (url) => {
      const rows = [{ id: 'COHORT-2026-PARTICIPANT-9001' }];
      const send = (name: string) =>
        get(`${url}/projects/${name}/api/v1/records`, keys.both, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'the-same-key-in-two-projects' },
          body: JSON.stringify({ records: rows }),
        });
      const answers = [await send('cohort'), await send('trial'), await send('trial')];

      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).to.deep.equal([
        null,
        null,
        'true',
      ]);
    }));

  it('PROJ-04: keeps every link of a page within its project, and offers the others of the reader', () =>
    withApp({}, async (url) => {
      const page = await (await signedIn(url, 'ada')).send('/projects/trial/dashboard', { headers: HTML });
      const html = await page.text();
      const addresses = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(
        ([, address = '']) => address,
      );

      expect(addresses.filter((address) => !address.startsWith('/projects/trial/'))).to.deep.equal([
        '/projects/cohort/dashboard',
      ]);
      expect(html).to.include('The trial');
    }));

  it('PROJ-04: leads a reader without the default to a project of theirs, and offers no other', () =>
    withApp({}, async (url) => {
      const joan = await signedIn(url, 'joan');
      const away = await joan.send('/dashboard', { headers: HTML });

      expect([away.status, away.headers.get('location')]).to.deep.equal([303, '/projects/trial/dashboard']);
      const html = await (await joan.send('/projects/trial/dashboard', { headers: HTML })).text();
      expect(html).not.to.include('/projects/cohort');
    }));

  it('PROJ-04: sends a stranger to the sign-in of the same project, whether or not it exists', () =>
    withApp({}, async (url) => {
      for (const name of ['trial', 'nothing']) {
        const away = await get(`${url}/projects/${name}/dashboard`, undefined, { headers: HTML });
        expect([away.status, away.headers.get('location')]).to.deep.equal([303, `/projects/${name}/login`]);
      }
    }));

  it('PROJ-01: names the paths of projects among the servers of the document, without a name', () =>
    withApp({}, async (url) => {
      const serversAt = async (base: string) =>
        ((await (await get(`${base}/openapi.json`)).json()) as { servers: { url: string }[] }).servers.map(
          (server) => server.url,
        );

      expect(await serversAt(url)).to.deep.equal(['/', '/projects/{project}']);
      expect(await serversAt(`${url}/projects/trial`)).to.deep.equal(['/projects/trial']);
    }));

  it('PROJ-05: enters a call in the log of its project, and a refusal in that of the service', async () => {
    const [service, ofCohort, ofTrial] = [
      await startMemoryAudit(),
      await startMemoryAudit(),
      await startMemoryAudit(),
    ];
    const projects = {
      cohort: { capture: cohort.client, audit: ofCohort.audit },
      trial: { capture: trial.client, audit: ofTrial.audit },
    };
    await withApp({ audit: service.audit, projects }, async (url) => {
      await get(`${url}/projects/trial/api/v1/records?pageSize=1`, keys.both);
      await get(`${url}/projects/cohort/api/v1/records`, keys.trial);
    });
    await service.audit.settled();
    const eventsOf = ({ log }: typeof service) => log.entries.map(({ event }) => event);

    expect(eventsOf(ofTrial)).to.deep.equal(['service.started', 'call.begun', 'call.ended']);
    expect(eventsOf(ofCohort)).to.deep.equal(['service.started']);
    expect(eventsOf(service)).to.deep.equal(['service.started', 'call.refused']);
  });

  it('LANG-04: has the times of a page in the zone of its project, and of a page of none in that of the default', async () => {
    const zones = {
      projects: {
        cohort: { capture: cohort.client, timeZone: 'Europe/Paris' },
        trial: { capture: trial.client, timeZone: 'Asia/Tokyo' },
        pilot: { capture: trial.client },
      },
      access: { sessions: [{ email: '*', projects: ['cohort', 'trial', 'pilot'], scopes: [...SCOPES] }] },
    };
    const timesOn = async (url: string, paths: readonly string[], language = 'en') => {
      const ada = await signedIn(url, 'ada');
      const pages = paths.map(async (path) => {
        const answer = await ada.send(path, { headers: { ...HTML, 'accept-language': language } });
        return [...(await answer.text()).matchAll(/<time datetime="[^"]+">[^<]*\d\d:\d\d ([^<]+)<\/time>/g)];
      });
      return (await Promise.all(pages)).map((times) => [...new Set(times.map(([, zone]) => zone))].join());
    };
    const ofProjects = ['/dashboard', '/projects/trial/dashboard', '/projects/pilot/dashboard'];

    await withApp(zones, async (url) => {
      const [byDefault, ...others] = await timesOn(url, [...ofProjects, '/projects/trial/dashboard/report']);
      expect(byDefault).to.match(/^CES?T$/);
      expect(others).to.deep.equal(['GMT+9', 'UTC', 'GMT+9']);
      expect(await timesOn(url, ['/dashboard/sessions'])).to.deep.equal(['CET']);
      expect(await timesOn(url, ['/dashboard/sessions'], 'de')).to.deep.equal(['MEZ']);
    });
    await withApp({ ...zones, defaultProject: undefined }, async (url) => {
      expect(await timesOn(url, ['/dashboard/sessions'])).to.deep.equal(['UTC']);
    });
  });

  it('PROJ-06: counts the calls of a caller in each project apart', () =>
    withApp({ limits: { callsPerMinute: 2 } }, async (url) => {
      const status = async (name: string) =>
        (await get(`${url}/projects/${name}/api/v1/project/version`, keys.both)).status;

      expect([await status('trial'), await status('trial'), await status('trial')]).to.deep.equal([
        200, 200, 429,
      ]);
      expect(await status('cohort')).to.equal(200);
    }));

  let links = 0;
  async function signedIn(url: string, id: string): Promise<SignInClient> {
    const client = new SignInClient(url);
    links += 1;
    await client.send(`/login?userId=${id}&secret=link-${links}`);
    return client;
  }
});

const HTML = { accept: 'text/html' };
