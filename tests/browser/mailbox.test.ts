import { expect } from 'chai';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { RunningServer } from '../../src/server/start-server.js';
import { startBrowser } from '../support/browser.js';
import { describeWith } from '../support/needed-programs.js';
import { openWindow } from '../support/every-page.js';
import { startWholeService } from '../support/start-whole-service.js';
import { watchPage } from '../support/watch-page.js';

describeWith(['chromium'], 'The mailbox, in a browser', function () {
  this.timeout(60_000);
  let browser: Browser;
  let service: RunningServer;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    service = await startWholeService();
    ({ context, page } = await openWindow(browser, service.url));
  });
  afterEach(async () => {
    await context.close();
    await service.stop();
  });

  const askFor = (email: string) =>
    fetch(`${service.url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });

  it('shows a new mail without a reload', async () => {
    const complaints = watchPage(page);
    await page.goto(`${service.url}/sandbox/mailbox`);
    await page.getByText('appear here by themselves').waitFor();
    await page.evaluate('window.isTheSamePage = true');

    await askFor('ada.lovelace@example.org');
    await page.getByText('To ada.lovelace@example.org').waitFor();

    expect(await page.evaluate('window.isTheSamePage')).to.equal(true);
    expect(complaints).to.deep.equal([]);
  });

  for (const [what, use, leave] of [
    ['the pointer', (link: Locator) => link.hover(), () => page.mouse.move(0, 0)],
    ['the focus', (link: Locator) => link.focus(), (link: Locator) => link.blur()],
  ] as const)
    it(`does not move content under ${what}: new mail waits until it has left`, async () => {
      await askFor('ada.lovelace@example.org');
      await page.goto(`${service.url}/sandbox/mailbox`);
      await page.getByText('appear here by themselves').waitFor();
      const link = page.locator('#main').getByRole('link', { name: 'Sign in as ada.lovelace@example.org' });
      await use(link);
      const before = await link.boundingBox();

      await page.evaluate(
        "void (window.heard = new Promise((resolve) => events.addEventListener('mail', resolve)))",
      );
      await askFor('grace.hopper@example.org');
      await page.evaluate('heard');
      await page.waitForLoadState('networkidle');

      expect(await link.boundingBox()).to.deep.equal(before);
      await leave(link);
      await page.getByText('To grace.hopper@example.org').waitFor();
    });

  it('shows what arrived while its stream was interrupted', async () => {
    let streams = 0;
    await page.route('**/sandbox/mailbox/events', async (route) => {
      streams += 1;
      if (streams === 1) return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 50\n\n' });
      if (streams === 2) await askFor('ada.lovelace@example.org');
      return route.continue();
    });
    await page.goto(`${service.url}/sandbox/mailbox`);

    await page.getByText('To ada.lovelace@example.org').waitFor();
  });

  it('offers the plain link once its stream has ended for good', async () => {
    let streams = 0;
    await page.route('**/sandbox/mailbox/events', async (route) => {
      streams += 1;
      if (streams > 1) return route.fulfill({ status: 204 });
      return route.fulfill({ contentType: 'text/event-stream', body: 'retry: 50\n\n' });
    });
    const closed = page.waitForResponse((answer) => answer.status() === 204);
    await page.goto(`${service.url}/sandbox/mailbox`);
    await closed;

    await page.getByRole('link', { name: 'Look again' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('link', { name: 'Look again' }).count()).to.equal(1);
  });

  it('shows a plain link without JavaScript', async () => {
    const plain = await openWindow(browser, service.url, { javaScriptEnabled: false });
    await plain.page.goto(`${service.url}/sandbox/mailbox`);
    await askFor('ada.lovelace@example.org');

    await plain.page.getByRole('link', { name: 'Look again' }).click();

    expect(await plain.page.textContent('main')).to.include('To ada.lovelace@example.org');
    await plain.context.close();
  });
});
