import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { openWindow, signedInClient } from '../support/every-page.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A read, a change with a body and a deletion: they differ in colour. */
const OPENED = [
  '#operations-Project-GetVersion',
  '#operations-Design-PutArms',
  '#operations-Design-DeleteArm',
] as const;

/** The head of the page, the opened operations, and one operation for each further colour. */
const EXAMINED = [
  '#swagger-ui .information-container',
  '#swagger-ui .scheme-container',
  ...OPENED,
  '#operations-Project-PutInfo',
  '#operations-Sign-in-Signup',
];

describeWith(['chromium'], 'The reference page, in a browser', function () {
  this.timeout(120_000);
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

    expect(routes).to.include('/api/v1/records').and.to.include('/api/v1/people/{email}');
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

  it('shows a large answer as plain text, so that the page keeps responding', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/docs/`);

    const operation = page.locator('#operations-Project-GetProjectOpenApi');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('button.execute').click();
    const body = operation.locator('.live-responses-table .response-col_description .highlight-code').first();
    await body.waitFor();

    expect(await body.textContent()).to.include('Typed_demographics');
    expect(await body.locator('span').count()).to.equal(0);
    await page.close();
  });

  it('stores a file that was chosen on the page', async () => {
    const page = await browser.newPage();
    const complaints = watchPage(page);
    await page.goto(`${service.url}/docs/`);

    const operation = page.locator('#operations-Files-PutFile');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('input[type=file]').setInputFiles({
      name: 'scan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4 signed'),
    });
    const answer = page.waitForResponse((response) => response.request().method() === 'PUT');
    await operation.locator('button.execute').click();
    const url = (await answer).url();

    expect((await answer).status()).to.equal(200);
    expect(await (await fetch(url.replace(/\?.*/, ''))).text()).to.equal('%PDF-1.4 signed');
    expect(complaints).to.deep.equal([]);
    await page.close();
  });

  it('has enough contrast, light and dark', async () => {
    const page = await browser.newPage({ colorScheme: 'light' });
    await page.goto(`${service.url}/docs/`);
    for (const id of OPENED) await page.locator(`${id} .opblock-summary-control`).click();
    await page.locator(`${OPENED[0]} button.execute`).click();
    await page.locator(`${OPENED[0]} .live-responses-table`).waitFor();
    const light = await faintTexts(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.evaluate("document.documentElement.classList.add('dark-mode')"); // Swagger UI's own class
    const dark = await faintTexts(page);

    expect({ light, dark }).to.deep.equal({ light: [], dark: [] });
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

/** Returns the texts of Swagger UI that are hard to tell from their background. */
async function faintTexts(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  // The colours of its buttons change slowly. An animation whose element disappears is cancelled, and its promise rejects.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => true)',
  );
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(EXAMINED)}, { runOnly: ['color-contrast'] }).then(({ violations }) =>
      violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => html + failureSummary)))`,
  );
}
