import { expect } from 'chai';
import { request as sendRequest } from 'node:http';
import request from 'supertest';
import { startService, type TestService, PREFIX } from '../../support/start-service.js';

describe('The reference page at /docs', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ docs: true });
  });
  after(() => service.close());

  it('refers only to its own files, each of which is served', async () => {
    const { text } = await request(service.server).get('/docs/').expect(200).expect('Content-Type', /html/);
    const files = [...text.matchAll(/(?:href|src)="(\.\/[^"#]+)"/g)].map(([, file]) => file ?? '');

    expect(files).to.include.members(['./swagger-ui.css', './swagger-ui-bundle.js', './swagger-ui-init.js']);
    for (const file of files) {
      const answer = await request(service.server).get(new URL(file, 'http://crf/docs/').pathname);
      expect(answer.status, file).to.equal(200);
      expect(answer.headers['content-security-policy'], file).to.include("script-src 'self';");
    }
  });

  it('HDR-02: contains no inline script', async () => {
    const { text } = await request(service.server).get('/docs/');

    const scripts = [...text.matchAll(/<script[^>]*>([^<]*)<\/script>/g)].map(([, code]) => code?.trim());

    expect(scripts).to.not.be.empty;
    expect(scripts.filter((code) => code !== '')).to.deep.equal([]);
    expect(text).to.not.match(/ on\w+=/);
  });

  it('is found without its trailing slash, with any query', async () => {
    for (const [path, target] of [
      ['/docs', '/docs/'],
      ['/docs?a=b%2Fc', '/docs/?a=b%2Fc'],
      ['/docs?a=/', '/docs/?a=/'],
    ] as const) {
      await request(service.server)
        .get(path)
        .expect(308)
        .expect('Location', PREFIX + target);
    }
  });

  it('lets browsers cache its files, which are revalidated with their ETag', async () => {
    const first = await request(service.server).get('/docs/swagger-ui.css').expect(200);
    expect(first.headers['cache-control']).to.equal('no-cache');

    await request(service.server)
      .get('/docs/swagger-ui.css')
      .set('If-None-Match', String(first.headers.etag))
      .expect(304);
  });

  for (const path of [
    '/docs/nowhere',
    '/docs/package.json',
    '/docs/index.html',
    '/docs/swagger-initializer.js',
    '/docs/swagger-ui.css.map',
    '/docs/swagger-ui.css/',
    '/docs/Swagger-UI.css',
    '/docs/..%2fpackage.json',
    '/docs//swagger-ui.css',
    '/Docs/',
  ]) {
    it(`answers 404 to ${path}, which is not a file of the page`, async () => {
      const answer = await request(service.server).get(path).expect(404);

      expect(answer.body.code).to.equal('route_not_found');
    });
  }

  for (const path of ['/docs', '/docs/', '/docs/swagger-ui-init.js', '/docs/swagger-ui-bundle.js']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      it(`answers 405 to ${method} ${path}, naming the allowed methods`, async () => {
        const answer = await send(method, path);

        expect(answer.status).to.equal(405);
        expect(answer.headers.allow).to.equal('GET, HEAD');
      });
    }

    it(`answers HEAD ${path} like GET, without the body`, async () => {
      const [head, got] = [await send('HEAD', path), await send('GET', path)];

      expect(head.status).to.equal(got.status);
      expect(head.headers['content-length']).to.equal(got.headers['content-length']);
    });
  }

  it("does not link to the project's document if no one can see it", async () => {
    const { text } = await request(service.server).get('/docs/');

    expect(text).to.not.include('./project/');
    await request(service.server).get('/docs/project/').expect(404);
  });

  it('has a page for the project too, which reads its document', async () => {
    const open = await startService({ docs: true, access: { allowAnonymous: true } });
    try {
      const { text } = await request(open.server).get('/docs/project/').expect(200);
      const files = [...text.matchAll(/(?:href|src)="(\.[^"#]*\.(?:css|js))"/g)].map(
        ([, file]) => file ?? '',
      );
      const { text: start } = await request(open.server).get('/docs/project/swagger-ui-init.js');

      expect(files).to.have.length(4);
      for (const file of files)
        await request(open.server).get(new URL(file, 'http://crf/docs/project/').pathname).expect(200);
      expect(start).to.include('"../../api/v1/project/openapi.json"');
      await request(open.server)
        .get('/docs/project')
        .expect(308)
        .expect('Location', `${PREFIX}/docs/project/`);
    } finally {
      await open.close();
    }
  });

  it('is the same for two applications in one process', async () => {
    const other = await startService({ docs: true });
    try {
      const [here, there] = [
        await request(service.server).get('/docs/swagger-ui-init.js'),
        await request(other.server).get('/docs/swagger-ui-init.js'),
      ];

      expect(there.text).to.equal(here.text).and.to.include('"../openapi.json"');
    } finally {
      await other.close();
    }
  });

  it('does not exist if it is disabled', async () => {
    const without = await startService();
    try {
      for (const path of ['/docs', '/docs/', '/docs/swagger-ui-bundle.js'])
        await request(without.server).get(path).expect(404);
    } finally {
      await without.close();
    }
  });

  /** fetch refuses TRACE, and follows redirects. */
  function send(method: string, path: string) {
    return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
      const asked = sendRequest(service.url + path, { method, agent: false }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
      });
      asked.on('error', reject);
      asked.end();
    });
  }
});
