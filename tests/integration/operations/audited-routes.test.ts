import { expect } from 'chai';
import express from 'express';
import type { Server } from 'node:http';
import { RegisterRoutes } from '../../../build/routes.js';
import { createApp } from '../../../src/app/app.js';
import { createCrfClient } from '../../../src/client/create-crf-client.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { createDocsRouter } from '../../../src/pages/docs-page.js';
import { OPERATIONS } from '../../support/api-operations.js';
import { routesOf, type ExpressRoute } from '../../support/express-routes.js';
import { startMemoryAudit, type MemoryAudit, type WrittenEntry } from '../../support/memory-audit.js';
import { SignInClient } from '../../support/sign-in-client.js';
import { startAuth, type TestAuth } from '../../support/start-auth.js';
import { startTestSandbox } from '../../support/start-sandbox.js';
import { closeServer, listen } from '../../support/start-service.js';

/** What REDCap answers about the structure of a project. Whatever else is read, and every change, is entered. */
const STRUCTURE: ReadonlySet<string> = new Set(
  [
    'arm',
    'dag',
    'event',
    'exportFieldNames',
    'fieldValidation',
    'formEventMapping',
    'instrument',
    'metadata',
    'project',
    'repeatingFormsEvents',
    'version',
  ].flatMap((content) => [`${content} undefined`, `${content} export`]),
);

/** What a route leaves in the audit log when a signed-in person uses it: written down by hand, route by route. */
type Trace = 'call' | 'sign-in' | 'nothing';

interface Use {
  readonly trace: Trace;
  /** The path that is requested; that of the route by default. */
  readonly path?: string;
  /** @param session the id of the person's session */
  readonly body?: (session: string) => FormData | URLSearchParams;
  /** 200 by default. */
  readonly status?: number;
  /** The scope that the entry names; `project:read` by default. */
  readonly scope?: string;
}

const csvFile = (): FormData => {
  const form = new FormData();
  const rows = 'record_id,age\r\nCOHORT-2026-PARTICIPANT-0901,40\r\n';
  form.set('file', new Blob([rows], { type: 'text/csv' }), 'records.csv');
  return form;
};
const form = (fields: Record<string, string> = {}) => ({ body: () => new URLSearchParams(fields) });
const PLOTS = 'GET /dashboard/plots/:plot.:format';

const USES: Readonly<Record<string, readonly Use[]>> = {
  'GET /openapi.json': [{ trace: 'nothing' }],
  'GET /sandbox/mailbox': [{ trace: 'nothing' }],
  // A stream without end; HEAD shows the same.
  'GET /sandbox/mailbox/events': [],
  'GET /dashboard': [
    { trace: 'call' },
    // Again, from the figures that are kept for a minute.
    { trace: 'call', path: '/dashboard?field=age' },
  ],
  'GET /dashboard/report': [{ trace: 'call' }],
  [PLOTS]: ['distribution', 'recruitment', 'completeness', 'dags', 'missing', 'activity', 'quality'].flatMap(
    (plot) =>
      ['svg', 'csv'].map((format) => ({
        trace: 'call' as const,
        path: `/dashboard/plots/${plot}.${format}?field=age`,
        ...(plot === 'dags' && { status: 404 }), // the demo study has none, which only its records show
      })),
  ),
  'GET /dashboard/forms': [
    { trace: 'call', scope: 'records:read', path: '/dashboard/forms?status=incomplete' },
  ],
  'GET /dashboard/forms.csv': [{ trace: 'call', scope: 'records:read' }],
  'GET /dashboard/records': [{ trace: 'call', scope: 'records:read' }],
  'GET /dashboard/records.csv': [{ trace: 'call', scope: 'records:read' }],
  'GET /dashboard/records/:record': [
    { trace: 'call', scope: 'records:read', path: '/dashboard/records/COHORT-2026-PARTICIPANT-0001' },
  ],
  'GET /dashboard/findings': [
    { trace: 'call', scope: 'records:read', path: '/dashboard/findings?rule=required_empty' },
  ],
  'GET /dashboard/findings.csv': [{ trace: 'call', scope: 'records:read' }],
  'GET /dashboard/due': [{ trace: 'call', scope: 'records:read', path: '/dashboard/due?state=overdue' }],
  'GET /dashboard/due.csv': [{ trace: 'call', scope: 'records:read' }],
  'GET /dashboard/due.ics': [{ trace: 'call', scope: 'records:read' }],
  'GET /try-file': [{ trace: 'nothing' }],
  'POST /try-file': [
    { trace: 'call', body: csvFile },
    { trace: 'call', path: '/try-file?store=yes', body: csvFile },
  ],
  'GET /try-file/example.csv': [{ trace: 'call' }],
  'GET /dashboard/sessions': [{ trace: 'nothing' }],
  'GET /dashboard/my-data': [{ trace: 'nothing' }],
  'GET /dashboard/delete-account': [{ trace: 'nothing' }],
  'GET /login/': [{ trace: 'nothing' }],
  'GET /dashboard/': [{ trace: 'nothing' }],
  'GET /signed-out/': [{ trace: 'nothing' }],
  'POST /login/send': [{ trace: 'sign-in', ...form({ email: 'grace@example.org' }) }],
  'GET /login/sent': [{ trace: 'nothing' }],
  'POST /login/confirm': [{ trace: 'sign-in', ...form({ userId: 'grace', secret: 'link-2' }) }],
  'POST /login/other-device': [{ trace: 'sign-in', ...form({ userId: 'grace', secret: 'link-3' }) }],
  'POST /login/code': [{ trace: 'sign-in', ...form({ code: '123456' }) }],
  'POST /dashboard/sessions/end': [
    { trace: 'sign-in', body: (session) => new URLSearchParams({ id: session }) },
  ],
  'POST /dashboard/sign-out': [{ trace: 'sign-in', ...form() }],
  'POST /dashboard/delete-account': [{ trace: 'sign-in', ...form() }],
  'GET /signed-out': [{ trace: 'nothing' }],
  'GET /assets/pages.css': [{ trace: 'nothing' }],
  'GET /assets/mark.svg': [{ trace: 'nothing' }],
  'GET /assets/mailbox.js': [{ trace: 'nothing' }],
  'GET /assets/plots.js': [{ trace: 'nothing' }],
  'GET /assets/try-file.js': [{ trace: 'nothing' }],
  'GET /assets/commands.js': [{ trace: 'nothing' }],
  'GET /favicon.ico': [{ trace: 'nothing' }],
  'GET /': [{ trace: 'nothing' }],
  'GET /help': [{ trace: 'nothing' }],
  'POST /language': [{ trace: 'nothing', ...form({ language: 'de', to: '/help' }) }],
};

describe('GW-04: every route of the application', () => {
  let log: MemoryAudit;
  let auth: TestAuth;
  let server: Server;
  let person: SignInClient;
  let routes: readonly ExpressRoute[];
  let opaque: readonly string[];
  let requests = 0;
  /** The operations of REDCap that were called without an entry before them. */
  let unentered: string[] = [];
  const closers: (() => unknown)[] = [];

  before(async () => {
    const sandbox = await startTestSandbox();
    const memory = await startMemoryAudit();
    log = memory.log;
    auth = await startAuth({
      onEvent: ({ type, actor, reason }) => memory.audit.note({ event: type, actor, reason }),
    });
    const called = (content: string, action: string | undefined): void => {
      const operation = `${content} ${action}`;
      if (!STRUCTURE.has(operation) && !callsOf(entries()).begun) unentered.push(operation);
    };
    const capture = createCrfClient({
      url: sandbox.url,
      token: sandbox.token,
      observer: {
        began: (content, _kind, action) => (called(content, action), () => undefined),
        sent: () => () => undefined,
        circuitChanged: () => undefined,
      },
    });
    const app = createApp({
      capture,
      audit: memory.audit,
      auth: { service: auth.service, trustedOrigins: ['https://app.example.org'] },
      access: { sessionScopes: ['project:read', 'records:read', 'records:write', 'log:read', 'users:read'] },
      docs: true,
      sandbox: { mailbox: { mails: [], onMail: () => () => undefined } },
      limits: { callsPerMinute: 0, failedAuthPerMinute: 0 },
    });
    ({ routes, opaque } = routesOf(app.router));
    server = createHttpServer(app);
    person = new SignInClient(await listen(server));
    closers.push(
      () => closeServer(server),
      () => capture.close(),
      () => sandbox.close(),
      () => auth.server.stop(),
    );
  });
  after(async () => {
    for (const close of closers) await close();
  });

  const id = (): string => `walk-${requests}`;
  const entries = (): WrittenEntry[] => log.entries.filter(({ requestId }) => requestId === id());

  /** Sends a request as a page of the service would. @returns its entries */
  async function use(method: string, { path = '/', body }: Partial<Use>): Promise<WrittenEntry[]> {
    await person.send(`/login?userId=grace&secret=link-${requests}`);
    const sessions = await person.send('/api/v1/auth/sessions');
    const { data } = (await sessions.json()) as { readonly data: readonly { readonly id: string }[] };
    unentered = [];
    requests += 1;
    const response = await person.send(path, {
      method,
      headers: { 'x-request-id': id(), 'sec-fetch-site': 'same-origin', accept: '*/*' },
      ...(body && { body: body(data[0]?.id ?? '') }),
    });
    await response.arrayBuffer();
    expect(response.status, path).to.be.below(500);
    return entries();
  }

  it('is known to the walk: nothing but the stages, the reference and the errors stands beside the routes', () => {
    const stages = opaque.slice(0, opaque.indexOf('/ 3 dispatch'));
    expect(stages.filter((stage) => !stage.startsWith('/ 3'))).to.deep.equal([]);
    expect(opaque.slice(stages.length + 1)).to.deep.equal([
      '/docs 3',
      '/ 0',
      '/ 4',
      '/ 4 pageProblems',
      '/ 4 problems',
    ]);
    expect(routesOf(createDocsRouter((_request, _response, next) => next())).routes).to.not.be.empty;
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(names)].sort()).to.deep.equal(Object.keys(USES).sort());
  });

  it('is, of the API, an operation of the document, whose entries are tested one by one', () => {
    const router = express.Router();
    RegisterRoutes(router);
    const registered = routesOf(router).routes.map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );

    expect([...new Set(registered)].sort()).to.deep.equal(
      OPERATIONS.map(({ method, template }) => `${method} ${template}`).sort(),
    );
  });

  for (const [route, uses] of Object.entries(USES)) {
    const [method = '', registered = ''] = route.split(' ');
    for (const [index, { path = registered, status = 200, ...rest }] of uses.entries()) {
      const { trace, scope } = rest;
      it(`leaves ${trace === 'nothing' ? 'nothing' : `a ${trace}`} in the log: ${method} ${path} (${index + 1})`, async () => {
        const found = await use(method, { path, ...rest });

        expect(unentered).to.deep.equal([]);
        const { begun, ended, others } = callsOf(found);
        if (trace === 'call') {
          const [session] = log.of('session.created');
          expect(begun?.actor).to.equal(`session:${session?.actor}`).and.equal(ended?.actor);
          expect(begun?.scopes).to.deep.equal([
            scope ?? (path.includes('store') ? 'records:write' : 'project:read'),
          ]);
          expect(begun?.operation).to.equal(route);
          expect(ended).to.include({ outcome: status === 200 ? 'ok' : 'refused', status });
        } else {
          expect([begun, ended]).to.deep.equal([undefined, undefined]);
        }
        expect(others.length > 0, JSON.stringify(others)).to.equal(trace === 'sign-in');
      });
    }
  }

  for (const { method, template, scopes } of OPERATIONS) {
    if (method !== 'GET' || scopes.join() !== 'project:read') continue;
    const isCounted = /\/summary|\/pdf$/.test(template); // the counts, and a PDF, which may be of records
    it(`leaves ${isCounted ? 'a call' : 'nothing'} in the log: GET ${template}`, async () => {
      const found = await use('GET', { path: template.replace('{field}', 'age') });

      expect(unentered).to.deep.equal([]);
      expect(found.map(({ event }) => event)).to.deep.equal(isCounted ? ['call.begun', 'call.ended'] : []);
    });
  }

  it('names a stored file as stored, and a dry run as such', async () => {
    const checked = await use('POST', { path: '/try-file', body: csvFile });
    const stored = await use('POST', { path: '/try-file?store=yes', body: csvFile });

    expect(callsOf(checked).ended?.what).to.deep.include({ imported: 1, batches: 1, dryRun: true });
    expect(callsOf(stored).ended?.what)
      .to.deep.include({ imported: 1, batches: 1 })
      .and.to.not.have.property('dryRun');
  });

  it('stores nothing, and shows nothing, while the log cannot be written', async () => {
    await person.send('/login?userId=grace&secret=link-last');
    log.isFull = true;
    const headers = { 'sec-fetch-site': 'same-origin' };
    const statuses = [
      await person.status('/try-file?store=yes', { method: 'POST', headers, body: csvFile() }),
      await person.status('/dashboard'),
      await person.status('/dashboard/plots/recruitment.csv'),
      await person.status('/api/v1/project/summary'),
    ];
    log.isFull = false;

    expect(statuses).to.deep.equal([503, 503, 503, 503]);
  });
});

function callsOf(entries: readonly WrittenEntry[]) {
  return {
    begun: entries.find(({ event }) => event === 'call.begun'),
    ended: entries.find(({ event }) => event === 'call.ended'),
    others: entries.filter(({ event }) => !event.startsWith('call.')),
  };
}
