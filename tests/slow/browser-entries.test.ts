import { expect } from 'chai';
import { build as bundle } from 'esbuild';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import type { RunningServer } from '../../src/server/start-server.js';
import { packPackage, type PackedPackage } from '../support/packed-package.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

/** A page of a user's application. Shows what the service answers, and how it refuses. */
const PROGRAM = `
import { createServiceClient, InvalidRequestError } from 'crf-service/service';
import { where } from 'crf-service/logic';

const client = createServiceClient({ baseUrl: location.origin });
const filterLogic = String(where('first_name').eq('Ada').and(where('age').gte(30)));
const { data, error } = await client.GET('/api/v1/records', {
  params: { query: { fields: ['record_id', 'first_name', 'age'], filterLogic } },
});
const refused = await client.GET('/api/v1/records', { query: {} }).catch((thrown) => thrown);
const missing = await client.GET('/api/v1/people/{email}', { params: { path: { email: 'nobody@example.org' } } });
globalThis.seen = {
  rows: data?.data.length,
  names: [...new Set(data?.data.map((row) => row.first_name))],
  error,
  refused: [refused instanceof InvalidRequestError, refused.name, refused.message],
  code: missing.error.code,
  hasRequestId: missing.error.instance === missing.response.headers.get('X-Request-Id'),
};
document.title = 'done';
`;

describeWith(['chromium'], 'The entries for browsers, in the packed package', function () {
  this.timeout(120_000);
  let packed: PackedPackage;
  before(() => {
    packed = packPackage();
    writeFileSync(join(packed.project, 'package.json'), '{ "type": "module", "private": true }');
  });
  after(() => packed.remove());

  for (const [entry, limit] of [
    ['service', 20_000],
    ['logic', 10_000],
  ] as const) {
    it(`are small, and need nothing of Node: crf-service/${entry}`, async () => {
      const { outputFiles } = await bundle({
        stdin: { contents: `export * from 'crf-service/${entry}';`, resolveDir: packed.project },
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        write: false,
        logLevel: 'silent', // An import of node: is an error, which rejects.
      });

      expect(outputFiles[0]?.contents.length).to.be.within(1000, limit);
    });
  }

  it('leave out what is not used', async () => {
    const { outputFiles } = await bundle({
      stdin: { contents: `import 'crf-service/service';`, resolveDir: packed.project },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    });

    expect(outputFiles[0]?.text.trim()).to.equal('');
  });

  describe('in a page that Vite has built', () => {
    let browser: Browser;
    let service: RunningServer;
    before(async () => {
      writeFileSync(join(packed.project, 'index.html'), '<script type="module" src="/program.js"></script>');
      writeFileSync(join(packed.project, 'program.js'), PROGRAM);
      const { NODE_ENV } = process.env;
      await build({ root: packed.project, base: '/app/', logLevel: 'silent', build: { target: 'es2022' } });
      // Vite sets it for the whole process, and so for the tests that follow.
      if (NODE_ENV === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = NODE_ENV;
      [browser, service] = await Promise.all([startBrowser(), startWholeService()]);
    });
    after(async () => {
      await browser.close();
      await service.stop();
    });

    it('ask the service, and explain what is wrong', async () => {
      const page = await browser.newPage();
      const complaints = watchPage(page);
      // The application is served by the origin of the service, as behind one proxy.
      await page.route('**/app/**', (route) => {
        const path = new URL(route.request().url()).pathname.replace('/app/', '') || 'index.html';
        const file = join(packed.project, 'dist', path);
        if (!existsSync(file)) return route.fulfill({ status: 404 });
        const contentType = file.endsWith('.js') ? 'text/javascript' : 'text/html';
        return route.fulfill({ body: readFileSync(file), contentType });
      });

      await page.goto(`${service.url}/app/`);
      await page.waitForFunction("document.title === 'done'");
      const seen = await page.evaluate(() => Reflect.get(globalThis, 'seen') as Record<string, unknown>);

      expect(seen.error).to.equal(undefined);
      expect(seen.rows).to.be.greaterThan(0);
      expect(seen).to.deep.include({
        names: ['Ada'],
        refused: [true, 'InvalidRequestError', 'query is not an option.'],
        code: 'user_not_found',
        hasRequestId: true,
      });
      expect(complaints.filter((text) => !text.includes('404'))).to.deep.equal([]);
      await page.close();
    });
  });
});
