import { expect } from 'chai';
import express from 'express';
import { createApp } from '../../../src/app/app.js';
import { createHttpServer } from '../../../src/http/http-server.js';
import { closeServer, listen, startService, type TestService, PREFIX } from '../../support/start-service.js';
import { startServiceWithAuth, type ServiceWithAuth } from '../../support/start-service-with-auth.js';

/** The headers that Chromium sends for an address typed by a person. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };

describe('An error', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const [path, status] of [
    ['/nowhere', 404],
    ['/docs', 404],
    ['/login', 404],
    ['/api/v1/records', 401],
    ['/api/v1/nowhere', 404],
    ['/api/v1/records?nonesuch=1', 400],
    ['/%', 400],
  ] as const) {
    it(`is a page for a browser on ${path}, with working links`, async () => {
      const answer = await fetch(service.url + path, { headers: BROWSER });
      const page = await answer.text();

      expect(answer.status).to.equal(status);
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page).to.not.include('href="/docs');
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '');
      for (const link of links) expect((await fetch(service.url + link)).status, link).to.equal(200);
    });

    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      it(`is a problem document for a program that accepts ${accept} on ${path}`, async () => {
        const answer = await fetch(service.url + path, { headers: { accept } });

        expect(answer.status).to.equal(status);
        expect(answer.headers.get('content-type')).to.equal('application/problem+json; charset=utf-8');
        expect(answer.headers.get('vary')).to.match(/\bAccept\b/);
        expect(await answer.text()).to.not.include('/docs');
      });
    }
  }

  it('mentions pages for a page, and routes for the API', async () => {
    const read = async (path: string) => (await fetch(service.url + path, { headers: BROWSER })).text();

    expect(await read('/nowhere')).to.include('<h1>Page not found</h1>');
    expect(await read('/help/example.csv/')).to.include('<h1>Page not found</h1>');
    expect(await read('/api/v1/nowhere')).to.include('<h1>No such route</h1>');
  });

  it('mentions routes in an API that a host application has mounted under a path', async () => {
    const host = express().use('/sub', createApp({ capture: service.client }));
    const server = createHttpServer(host);
    const url = await listen(server);

    const page = await fetch(`${url}/sub/api/v1/nowhere`, { headers: BROWSER })
      .then((response) => response.text())
      .finally(() => closeServer(server));

    expect(page).to.include('<h1>No such route</h1>');
  });

  it('links to the reference if it is served', async () => {
    const withReference = await startService({ docs: true });
    try {
      expect(await (await fetch(`${withReference.url}/nowhere`)).text()).to.include('/docs');
    } finally {
      await withReference.close();
    }
  });
});

describe('A page that is requested too often', () => {
  it('RATE-01: states in words when to try again, in the usual frame; a program gets a problem document', async () => {
    const service = await startService({
      access: { allowAnonymous: true },
      limits: { callsPerMinute: 2 },
    });
    try {
      const get = (path: string, headers: Record<string, string> = BROWSER) =>
        fetch(service.url + path, { headers });
      for (const path of ['/dashboard', '/try-file']) expect((await get(path)).status, path).to.equal(200);

      for (const path of ['/dashboard', '/dashboard/plots/missing.svg', '/try-file', '/api/v1/records']) {
        const refused = await get(path);
        const page = await refused.text();

        expect(refused.status, path).to.equal(429);
        expect(Number(refused.headers.get('retry-after')), path).to.be.within(1, 60);
        expect(page, path).to.match(/Try again in \d+ seconds\.|Try again in a second\./);
        expect(page, path).to.include('Error 429').and.include(`href="${PREFIX}/help"`).and.include('<nav');
      }
      const problem = await get('/dashboard', { accept: 'application/json' });
      expect([problem.status, problem.headers.get('content-type')]).to.deep.equal([
        429,
        'application/problem+json; charset=utf-8',
      ]);
      // Health checks and the first page are not counted.
      for (const path of ['/', '/help', '/health']) expect((await get(path)).status, path).to.equal(200);
    } finally {
      await service.close();
    }
  });
});

describe('The dashboard of a service without sign-in', () => {
  it('says why it is not there', async () => {
    const service = await startService();
    try {
      for (const path of ['/dashboard', '/dashboard/due']) {
        const answer = await fetch(service.url + path, { headers: BROWSER });
        expect(answer.status).to.equal(404);
        expect(await answer.text())
          .to.include('No dashboard here')
          .and.include('has no sign-in');
      }
      const other = await fetch(`${service.url}/nowhere`, { headers: BROWSER });
      expect(await other.text()).to.include('Page not found');
    } finally {
      await service.close();
    }
  });
});

describe('A service without sign-in', () => {
  for (const [kind, options] of [
    ['with open access', { access: { allowAnonymous: true } }],
    ['with keys', {}],
  ] as const)
    it(`says so at its addresses, ${kind}, and does not list them`, async () => {
      const service = await startService(options);
      try {
        for (const path of [
          '/login',
          '/login?userId=a',
          '/login/sent',
          '/signed-out',
          '/dashboard/sessions',
        ]) {
          const answer = await fetch(service.url + path, { headers: BROWSER });
          expect(answer.status, path).to.equal(404);
          expect(await answer.text(), path).to.include('service has no sign-in');
        }
        for (const [method, path] of [
          ['GET', '/login'],
          ['GET', '/api/v1/auth/me'],
          ['POST', '/api/v1/auth/signup'],
          ['POST', '/api/v1/auth/logout'],
        ] as const) {
          const answer = await fetch(service.url + path, { method });
          const { code, detail } = (await answer.json()) as { code: string; detail: string };
          expect([answer.status, code], path).to.deep.equal([404, 'route_not_found']);
          expect(detail, path).to.include('has no sign-in').and.include('docs/sign-in.md');
        }
        const headers = kind === 'with keys' ? { authorization: service.authorization } : {};
        for (const path of ['/openapi.json', '/api/v1/project/openapi.json']) {
          const text = await (await fetch(service.url + path, { headers })).text();
          const { paths, tags } = JSON.parse(text) as { paths: object; tags: { name: string }[] };
          expect(Object.keys(paths), path).to.include('/api/v1/records').and.not.include('/login');
          expect(Object.keys(paths).join(' '), path).to.not.include('/auth/');
          expect(
            tags.map(({ name }) => name),
            path,
          ).to.not.include('Sign-in');
        }
      } finally {
        await service.close();
      }
    });

  it('lists them if it has one', async () => {
    const running = await startServiceWithAuth();
    try {
      const document = (await (await fetch(`${running.service.url}/openapi.json`)).json()) as {
        paths: object;
      };
      expect(Object.keys(document.paths)).to.include('/login').and.include('/api/v1/auth/me');
    } finally {
      await running.close();
    }
  });
});

describe('A page that an account may not see', () => {
  it('explains this in words, and links to where the account may go', async () => {
    const running = await startServiceWithAuth({}, { access: { sessionScopes: [] } });
    try {
      const browser = await running.signedIn('ada');
      const refused = await browser.send('/dashboard', { headers: BROWSER });
      const page = await refused.text();

      expect(refused.status).to.equal(403);
      expect(page).to.include('<h1>No access</h1>').and.include('Ask whoever runs the study');
      const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
      expect(main).to.not.match(/scope|credential|"\/dashboard"/);
      const links = [...main.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '');
      expect(links).to.include(`${PREFIX}/dashboard/sessions`);
      for (const link of links) expect(await browser.status(link), link).to.equal(200);
    } finally {
      await running.close();
    }
  });
});

describe('A page with an extra slash', () => {
  let running: ServiceWithAuth;
  before(async () => {
    running = await startServiceWithAuth();
  });
  after(() => running.close());

  for (const [path, target] of [
    ['/login/', '/login'],
    ['/login/?userId=a&secret=b&st=c%2Fd', '/login?userId=a&secret=b&st=c%2Fd'],
    ['/dashboard/', '/dashboard'],
    ['/signed-out/', '/signed-out'],
  ] as const) {
    it(`redirects from ${path} to ${target}`, async () => {
      const answer = await fetch(running.service.url + path, { redirect: 'manual' });

      expect(answer.status).to.equal(308);
      expect(answer.headers.get('location')).to.equal(PREFIX + target);
    });
  }

  it('redirects only GET and HEAD', async () => {
    const answer = await fetch(`${running.service.url}/login/`, { method: 'POST' });

    expect(answer.status).to.equal(405);
  });
});
