import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { openWindow, signedInClient } from '../support/every-page.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

describe('The reference page, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: RunningServer;

  before(async () => {
    [browser, service] = await Promise.all([startBrowser(), startWholeService()]);
  });
  after(async () => {
    await browser.close();
    await service.stop();
  });

  it('HDR-02: renders every route using only files from this origin, without errors', async () => {
    const page = await browser.newPage();
    const complaints = watchPage(page);
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && origin !== service.url) foreign.push(request.url());
    });

    await page.goto(`${service.url}/docs`);
    await page.waitForSelector('.opblock-summary-path');
    const routes = await page.$$eval('.opblock-summary-path', (nodes) =>
      nodes.map((node) => node.textContent?.replaceAll('\u200b', '').trim()),
    );

    expect(routes).to.include('/api/v1/records').and.to.include('/api/v1/users/{email}');
    expect(foreign).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
    await page.close();
  });

  it('tries out a route, and shows its answer', async () => {
    const page = await browser.newPage();
    const complaints = watchPage(page);
    await page.goto(`${service.url}/docs/`);

    const operation = page.locator('#operations-Project-GetVersion');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('button.execute').click();
    const body = operation.locator('.live-responses-table .response-col_description .microlight').first();
    await body.waitFor();

    expect(await body.textContent()).to.include('"version": "16.1.9"');
    expect(complaints).to.deep.equal([]);
    await page.close();
  });

  it('links to the document of the project, with its instruments, and back', async () => {
    const { context, page } = await openWindow(browser, service.url, {}, await signedInClient(service.url));
    const complaints = watchPage(page);

    await page.goto(`${service.url}/docs/`);
    await page.getByRole('link', { name: 'Show the reference of this project' }).click();
    await page.waitForSelector('#model-Typed_demographics');
    await page.getByRole('link', { name: 'Show the reference for any project' }).click();
    await page.waitForSelector('.opblock-summary-path');

    expect(new URL(page.url()).pathname).to.equal('/docs/');
    expect(complaints).to.deep.equal([]);
    await context.close();
  });

  it('HDR-02: does not fetch a document named in its URL', async () => {
    const page = await browser.newPage();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));

    await page.goto(`${service.url}/docs/?url=http://evil.test/a.json&configUrl=http://evil.test/b.json`);
    await page.waitForSelector('.opblock-summary-path');

    expect(requested.filter((url) => new URL(url).hostname === 'evil.test')).to.deep.equal([]);
    await page.close();
  });
});
